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
	"strings"
)

// CNF is a formula: literal n is variable n (from 1), -n its negation.
type CNF struct {
	Vars    int
	Clauses [][]int
}

// MaxVar is the greatest variable that the reader takes.
const MaxVar = math.MaxInt32 / 2

// slabInts is the number of literals that are allocated at a time.
const slabInts = 1 << 13

// Read parses a formula. Comments may stand on lines of their own anywhere, and
// a line with a single % ends the file, as some collections have it.
func Read(r io.Reader) (*CNF, error) {
	cnf := &CNF{}
	var slab []int
	err := Scan(r, func(vars int) { cnf.Vars = vars }, func(clause []int) {
		if len(slab) < len(clause) {
			slab = make([]int, max(slabInts, len(clause)))
		}
		k := copy(slab, clause)
		cnf.Clauses = append(cnf.Clauses, slab[:k:k])
		slab = slab[k:]
	})
	if err != nil {
		return nil, err
	}
	return cnf, nil
}

// Scan parses a formula and hands it on without keeping it: first the number of
// variables, then the clauses one by one. The slice is reused.
func Scan(r io.Reader, header func(vars int), clause func(lits []int)) error {
	p := parser{r: bufio.NewReaderSize(r, 1<<16), line: 1}
	if err := p.formula(header, clause); err != nil {
		return fmt.Errorf("line %d: %w", p.line, err)
	}
	return nil
}

type parser struct {
	r    *bufio.Reader
	line int
	tok  [40]byte
}

func (p *parser) formula(header func(vars int), emit func(lits []int)) error {
	seen := false
	vars, want, got := 0, 0, 0
	var clause []int
	for atStart := true; ; {
		c, err := p.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case c == '\n':
			p.line++
			atStart = true
		case c == ' ' || c == '\t' || c == '\r':
		case c == 'c' && atStart:
			if err := p.skipLine(); err != nil {
				return err
			}
		case c == 'p' && atStart:
			if seen {
				return errors.New("second header")
			}
			if vars, want, err = p.header(); err != nil {
				return err
			}
			seen = true
			header(vars)
		case !seen:
			return errors.New("no header before the first clause: want a line such as \"p cnf 3 2\"")
		case c == '%' && atStart && len(clause) == 0:
			return complete(got, want)
		default:
			atStart = false
			n, err := p.int(c)
			if err != nil {
				return err
			}
			if n == 0 {
				if got == want {
					return fmt.Errorf("more than the %d clauses of the header", want)
				}
				got++
				emit(clause)
				clause = clause[:0]
				continue
			}
			if n > vars || -n > vars {
				return fmt.Errorf("literal %d, but the header has %d variables", n, vars)
			}
			clause = append(clause, n)
		}
	}
	if !seen {
		return errors.New("no header: want a line such as \"p cnf 3 2\"")
	}
	if len(clause) > 0 {
		return errors.New("the last clause does not end in 0")
	}
	return complete(got, want)
}

func complete(got, want int) error {
	if got != want {
		return fmt.Errorf("%d clauses, but the header has %d", got, want)
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
func (p *parser) header() (vars, clauses int, err error) {
	line, readErr := p.r.ReadString('\n')
	if readErr != nil && !errors.Is(readErr, io.EOF) {
		return 0, 0, readErr
	}
	words := strings.Fields(line)
	if len(words) == 3 && words[0] == "cnf" {
		if vars, err = strconv.Atoi(words[1]); err == nil {
			clauses, err = strconv.Atoi(words[2])
		}
	}
	if len(words) != 3 || words[0] != "cnf" || err != nil || vars < 0 || clauses < 0 {
		return 0, 0, errors.New("bad header: want \"p cnf VARIABLES CLAUSES\"")
	}
	if vars > MaxVar {
		return 0, 0, fmt.Errorf("%d variables, at most %d are supported", vars, MaxVar)
	}
	if readErr == nil {
		p.line++
	}
	return vars, clauses, nil
}

// int parses a literal that begins with c.
func (p *parser) int(c byte) (int, error) {
	tok := append(p.tok[:0], c)
	plain := c == '-' || c >= '0' && c <= '9'
	abs := 0
	if plain && c != '-' {
		abs = int(c - '0')
	}
	for {
		c, err := p.r.ReadByte()
		if err == io.EOF {
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
		plain = plain && c >= '0' && c <= '9'
		abs = abs*10 + int(c-'0')
	}
	if plain && len(tok) <= 10 && tok[len(tok)-1] != '-' {
		if tok[0] == '-' {
			return -abs, nil
		}
		return abs, nil
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
