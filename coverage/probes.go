package coverage

import (
	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/effort"
	"netcov/interp"
	"netcov/proof"
)

// probes look into the engines of a run as they work.
type probes struct {
	check  func(error)     // called with each fault that checks inside find; nil: no checks
	effort *effort.Engines // counts what each engine does; nil: nothing is counted
}

func (p probes) ic3(seed []cert.Clause) ic3.Options {
	return ic3.Options{Seed: seed, Check: p.check, Effort: p.effort.Of(EngineIC3)}
}

func (p probes) interp() interp.Options {
	return interp.Options{Check: p.check, Effort: p.effort.Of(EngineInterp)}
}

// bounded are the options of the solver of a bounded search.
func (p probes) bounded() proof.Options {
	return proof.Options{Check: p.check, Effort: p.effort.Of(EngineBMC)}
}

// queries are the options of the solver of the tests' own queries.
func (p probes) queries() proof.Options {
	return proof.Options{Check: p.check, Effort: p.effort.Of(queriesOfTests)}
}

// queriesOfTests is the name under which the tests' own queries are counted.
const queriesOfTests = "queries"
