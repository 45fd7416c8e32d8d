package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/aiger"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/sat"
)

// generator chooses unrollings by the time that MiniSat takes for them.
type generator struct {
	out      string
	min, max float64 // seconds of CPU time
	clauses  int     // at most so many in a file
	depth    int     // frames, at most
}

func generateMain(args []string) error {
	fs := flags("generate")
	dir := fs.String("dir", "", "directory of AIGER files; families are in its index.tsv, if it has one")
	per := fs.Int("per", 2, "unrollings a family; the second is to take five times as long as -min, and so on")
	tries := fs.Int("tries", 6, "files tried a family, spread evenly")
	var g generator
	fs.StringVar(&g.out, "out", "", "directory for the DIMACS files")
	fs.Float64Var(&g.min, "min", 0.2, "least seconds of MiniSat")
	fs.Float64Var(&g.max, "max", 6, "most seconds of MiniSat")
	fs.IntVar(&g.clauses, "clauses", 1_000_000, "most clauses")
	fs.IntVar(&g.depth, "depth", 400, "most frames")
	fs.Parse(args)
	if *dir == "" || g.out == "" || fs.NArg() > 0 {
		fs.Usage()
		os.Exit(2)
	}
	if err := os.MkdirAll(g.out, 0o777); err != nil {
		return err
	}
	families, err := families(*dir)
	if err != nil {
		return err
	}
	first := g.min
	for _, files := range families {
		found := 0
		g.min = first
		for i := 0; i < *tries && found < *per; i++ {
			at := i * len(files) / *tries
			if i > 0 && at == (i-1)*len(files) / *tries {
				continue
			}
			ok, err := g.file(files[at])
			if err != nil {
				return err
			}
			if ok {
				found++
				g.min *= 5
			}
		}
	}
	return nil
}

// families groups the AIGER files of a directory: by the column "family" of its
// index.tsv, or else by the letters that their names begin with.
func families(dir string) ([][]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.a[ai]g"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no *.aig or *.aag", dir)
	}
	named := map[string]string{}
	if text, err := os.ReadFile(filepath.Join(dir, "index.tsv")); err == nil {
		lines := strings.Split(string(text), "\n")
		col := slices.Index(strings.Split(lines[0], "\t"), "family")
		for _, line := range lines[1:] {
			if f := strings.Split(line, "\t"); col >= 0 && col < len(f) {
				named[f[0]] = f[col]
			}
		}
	}
	var groups [][]string
	at := map[string]int{}
	for _, f := range files {
		name := filepath.Base(f)
		family, ok := named[name]
		if !ok {
			family = strings.TrimRight(name, "0123456789.aigp_-")
		}
		i, ok := at[family]
		if !ok {
			i = len(groups)
			at[family] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups, nil
}

// file unrolls a design to growing depths until MiniSat takes a time within the
// window. It bisects once the time is above. It reports whether a file was
// written.
func (g *generator) file(path string) (bool, error) {
	m, err := readModel(path)
	if err != nil {
		return false, err
	}
	low, high, depth := 0, 0, 4
	for range 20 {
		cnf := unroll(m, depth)
		if len(cnf.clauses) > g.clauses {
			return false, nil
		}
		tmp := filepath.Join(g.out, "next.tmp")
		if err := cnf.write(tmp); err != nil {
			return false, err
		}
		st, sec, search, err := minisat(tmp, int(g.max)+1)
		if err != nil {
			return false, err
		}
		name := fmt.Sprintf("%s_%03d", strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), depth)
		fmt.Printf("%-30s %-7s %7.2f s  %d clauses\n", name, word(st), sec, len(cnf.clauses))
		switch {
		case st == sat.Unknown || sec > g.max:
			high = depth
		case sec < g.min:
			low = depth
		case !search:
			// Its time is the time to read it.
			return false, os.Remove(tmp)
		default:
			return true, os.Rename(tmp, filepath.Join(g.out, name+".cnf"))
		}
		os.Remove(tmp)
		if high == 0 {
			depth += depth/3 + 1
		} else {
			depth = (low + high) / 2
		}
		if depth == low || depth > g.depth {
			return false, nil
		}
	}
	return false, nil
}

func word(st sat.Status) string { return [...]string{"unknown", "sat", "unsat"}[st] }

// readModel reads an AIGER file with its first property.
func readModel(path string) (*netlist.Model, error) {
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		return nil, err
	}
	n := netlist.FromAIGER(f)
	var bad aig.Lit
	switch {
	case len(n.Bads) > 0:
		bad = n.Bads[0].Lit
	case len(n.Outputs) > 0:
		bad = n.Outputs[0].Lit
	default:
		return nil, errors.New(path + ": no property")
	}
	return netlist.Compile(n, bad, nil, mutant.AtOutput), nil
}

// formula is a netlist.ClauseSink that keeps the clauses.
type formula struct {
	vars    int
	clauses [][]sat.Lit
}

func (f *formula) NewVar() sat.Var {
	f.vars++
	return sat.Var(f.vars - 1)
}

func (f *formula) AddClause(lits ...sat.Lit) { f.clauses = append(f.clauses, slices.Clone(lits)) }

// unroll returns the formula of the runs from the initial states that are bad in
// frame k and keep the constraints in all frames up to it.
func unroll(m *netlist.Model, k int) *formula {
	f := &formula{}
	fr := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(f), Initial: true})
	for t := range k + 1 {
		if value, constant := fr.Const(t, m.Constraint); !constant || !value {
			f.AddClause(fr.Lit(t, m.Constraint))
		}
	}
	f.AddClause(fr.Lit(k, m.Bad))
	return f
}

// write writes the formula in DIMACS form.
func (f *formula) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	fmt.Fprintf(w, "p cnf %d %d\n", f.vars, len(f.clauses))
	for _, c := range f.clauses {
		for _, l := range c {
			fmt.Fprintf(w, "%d ", l.Dimacs())
		}
		fmt.Fprintln(w, "0")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}
