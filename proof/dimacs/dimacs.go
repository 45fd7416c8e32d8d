// Package dimacs reads and writes propositional formulas in the DIMACS CNF form
// of the SAT competitions. The reader is strict: the header must be right,
// every clause must end in 0. An error names the line.
package dimacs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// CNF is a formula: literal n is variable n (from 1), -n its negation.
type CNF struct {
	Vars    int
	Clauses [][]int
}

// MaxVar is the greatest variable that the reader takes.
const MaxVar = math.MaxInt32 / 2

// Read parses a formula. Comments may stand on lines of their own anywhere, and
// a line with a single % ends the file, as some collections have it.
func Read(r io.Reader) (*CNF, error) {
	p := parser{r: bufio.NewReaderSize(r, 1<<16), line: 1}
	cnf, err := p.formula()
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	}
	return cnf, nil
}

// slabInts is the number of literals that are allocated at a time.
const slabInts = 1 << 13

type parser struct {
	r    *bufio.Reader
	line int
	tok  [40]byte
}

func (p *parser) formula() (*CNF, error) {
	var cnf *CNF
	count := 0
	var clause, slab []int
	for atStart := true; ; {
		c, err := p.r.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch {
		case c == '\n':
			p.line++
			atStart = true
		case c == ' ' || c == '\t' || c == '\r':
		case c == 'c' && atStart:
			if err := p.skipLine(); err != nil {
				return nil, err
			}
		case c == 'p' && atStart:
			if cnf != nil {
				return nil, errors.New("second header")
			}
			if cnf, count, err = p.header(); err != nil {
				return nil, err
			}
		case cnf == nil:
			return nil, errors.New("no header before the first clause: want a line such as \"p cnf 3 2\"")
		case c == '%' && atStart && len(clause) == 0:
			return cnf, p.complete(cnf, count)
		default:
			atStart = false
			n, err := p.int(c)
			if err != nil {
				return nil, err
			}
			if n == 0 {
				if len(cnf.Clauses) == count {
					return nil, fmt.Errorf("more than the %d clauses of the header", count)
				}
				if len(slab) < len(clause) {
					slab = make([]int, max(slabInts, len(clause)))
				}
				k := copy(slab, clause)
				cnf.Clauses = append(cnf.Clauses, slab[:k:k])
				slab, clause = slab[k:], clause[:0]
				continue
			}
			if n > cnf.Vars || -n > cnf.Vars {
				return nil, fmt.Errorf("literal %d, but the header has %d variables", n, cnf.Vars)
			}
			clause = append(clause, n)
		}
	}
	if cnf == nil {
		return nil, errors.New("no header: want a line such as \"p cnf 3 2\"")
	}
	if len(clause) > 0 {
		return nil, errors.New("the last clause does not end in 0")
	}
	return cnf, p.complete(cnf, count)
}

func (p *parser) complete(cnf *CNF, count int) error {
	if len(cnf.Clauses) != count {
		return fmt.Errorf("%d clauses, but the header has %d", len(cnf.Clauses), count)
	}
	return nil
}

func (p *parser) skipLine() error {
	for {
		c, err := p.r.ReadByte()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if c == '\n' {
			return p.r.UnreadByte()
		}
	}
}

// header parses what follows the p.
func (p *parser) header() (*CNF, int, error) {
	line, err := p.r.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var word string
	var vars, clauses int
	var rest string
	if n, _ := fmt.Sscan(line, &word, &vars, &clauses, &rest); n != 3 || word != "cnf" || vars < 0 || clauses < 0 {
		return nil, 0, errors.New("bad header: want \"p cnf VARIABLES CLAUSES\"")
	}
	if vars > MaxVar {
		return nil, 0, fmt.Errorf("%d variables, at most %d are supported", vars, MaxVar)
	}
	if err == nil {
		p.line++
	}
	return &CNF{Vars: vars}, clauses, nil
}

func (p *parser) int(c byte) (int, error) {
	tok := append(p.tok[:0], c)
	for {
		c, err := p.r.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			if err := p.r.UnreadByte(); err != nil {
				return 0, err
			}
			break
		}
		if len(tok) > 32 {
			return 0, fmt.Errorf("%q… is no literal", tok)
		}
		tok = append(tok, c)
	}
	n, err := strconv.ParseInt(string(tok), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no literal", tok)
	}
	return int(n), nil
}

// Write writes the formula.
func Write(w io.Writer, cnf *CNF) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "p cnf %d %d\n", cnf.Vars, len(cnf.Clauses))
	for _, c := range cnf.Clauses {
		for _, l := range c {
			b.WriteString(strconv.Itoa(l))
			b.WriteByte(' ')
		}
		b.WriteString("0\n")
	}
	return b.Flush()
}
