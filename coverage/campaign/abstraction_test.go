package campaign

import (
	"errors"
	"testing"

	"netcov/cert"
	"netcov/frontend"
	"netcov/frontend/design"
	"netcov/netlist"
)

// none is an abstraction that no trace refines.
type none struct{ design.Abstraction }

func (none) Replay(int, *cert.Trace, *design.Cut) (*cert.Trace, error) {
	return nil, errors.New("no more words")
}

// TestSettleOpen: an answer that becomes undecided claims no step without a failure.
func TestSettleOpen(t *testing.T) {
	d := &Design{Source: &frontend.Source{Design: &design.Design{Abstraction: none{}}}, Netlist: &netlist.Netlist{Bads: make([]netlist.Signal, 1)}}
	a := &Answer{Status: cert.Fails, Trace: &cert.Trace{}}
	if settled, err := d.Settle(a); !settled || err != nil || a.Open() != "no more words" {
		t.Errorf("%v %v %q", settled, err, a.Open())
	}
}
