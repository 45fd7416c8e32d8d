package coverage

import (
	"slices"
	"sync"

	"netcov/cert"
)

// pool gathers the clauses of every invariant found so far: of the original and
// of mutants. A mutant's own invariant is often made of them, so they are tried
// on each mutant (never trusted).
type pool struct {
	mu      sync.Mutex
	clauses []cert.Clause
	seen    map[string]bool
}

// poolLimit bounds the number of clauses.
const poolLimit = 20000

// add takes the clauses of an invariant in.
func (p *pool) add(inv *cert.Invariant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	for _, c := range inv.Clauses {
		if len(p.clauses) >= poolLimit {
			return
		}
		if k := key(c); !p.seen[k] {
			p.seen[k] = true
			p.clauses = append(p.clauses, c)
		}
	}
}

// all returns the clauses. The slice must not be changed.
func (p *pool) all() []cert.Clause {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clauses[:len(p.clauses):len(p.clauses)]
}

// size returns the number of clauses.
func (p *pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.clauses)
}

// key identifies a clause whatever the order of its literals.
func key(c cert.Clause) string {
	sorted := slices.Clone(c)
	slices.Sort(sorted)
	b := make([]byte, 0, 4*len(c))
	for _, l := range sorted {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}
