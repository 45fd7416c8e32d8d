// The part of AIGER that ABC's commands read as the format means it.

package abc

import "netcov/aiger"

// plain returns a file with one output, which can be true exactly when the
// property, a position among the bad-state literals or, where there are none,
// among the outputs, fails on f. It has no constraints and no names, all its
// latches start at 0, and it has at least one input and one latch: ABC reads an
// uninitialised latch as 0, leaves constraints aside, and refuses empty files.
// The output is true one step after the bad state.
func plain(f *aiger.File, property int) (*aiger.File, error) {
	order, err := f.InitialOrder()
	if err != nil {
		return nil, err
	}
	bads := f.Bads
	if len(bads) == 0 {
		bads = f.Outputs
	}
	p := &plainer{out: &aiger.File{}, image: make([]aiger.Lit, f.MaxVar+1)}
	for _, in := range f.Inputs {
		p.image[in>>1] = p.input()
	}
	p.input()
	started := p.latch()
	p.out.Latches[0].Next = 1
	latches := make(map[uint32]aiger.Latch, len(f.Latches))
	stored := make(map[uint32]aiger.Lit, len(f.Latches)) // by variable: the latch of the new file
	for _, l := range f.Latches {
		latches[l.Lit>>1] = l
		v := p.latch()
		stored[l.Lit>>1] = v
		switch {
		case l.Reset < 2: // a latch that starts at 1 is stored inverted
			p.image[l.Lit>>1] = v ^ l.Reset
		case l.Reset == l.Lit:
			p.image[l.Lit>>1] = p.choose(started, v, p.input())
		}
	}
	gates := make(map[uint32]aiger.And, len(f.Ands))
	for _, a := range f.Ands {
		gates[a.Lhs>>1] = a
	}
	for _, v := range order {
		if a, ok := gates[v]; ok {
			p.image[v] = p.and(p.of(a.Rhs0), p.of(a.Rhs1))
		} else if l := latches[v]; l.HasResetFunction() {
			p.image[v] = p.choose(started, stored[v], p.of(l.Reset))
		}
	}
	for i, l := range f.Latches {
		next := p.of(l.Next)
		if l.Reset == 1 {
			next ^= 1
		}
		p.out.Latches[i+1].Next = next
	}
	legal := aiger.Lit(1)
	for _, c := range f.Constraints {
		legal = p.and(legal, p.of(c))
	}
	violated := p.latch()
	now := p.and(legal, violated^1)
	p.out.Latches[len(p.out.Latches)-1].Next = now ^ 1
	seen := p.latch()
	p.out.Latches[len(p.out.Latches)-1].Next = p.and(now, p.of(bads[property]))
	p.out.Outputs = []aiger.Lit{seen}
	return p.out, nil
}

// plainer builds the new file; image is by variable of the old one.
type plainer struct {
	out   *aiger.File
	image []aiger.Lit
}

func (p *plainer) variable() aiger.Lit {
	p.out.MaxVar++
	return 2 * p.out.MaxVar
}

func (p *plainer) input() aiger.Lit {
	v := p.variable()
	p.out.Inputs = append(p.out.Inputs, v)
	return v
}

func (p *plainer) latch() aiger.Lit {
	v := p.variable()
	p.out.Latches = append(p.out.Latches, aiger.Latch{Lit: v})
	return v
}

func (p *plainer) and(a, b aiger.Lit) aiger.Lit {
	v := p.variable()
	p.out.Ands = append(p.out.Ands, aiger.And{Lhs: v, Rhs0: max(a, b), Rhs1: min(a, b)})
	return v
}

// choose is yes where the condition holds, and no elsewhere.
func (p *plainer) choose(condition, yes, no aiger.Lit) aiger.Lit {
	return p.and(p.and(condition, yes)^1, p.and(condition^1, no)^1) ^ 1
}

func (p *plainer) of(l aiger.Lit) aiger.Lit { return p.image[l>>1] ^ l&1 }
