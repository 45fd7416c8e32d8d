package tableau

import "netcov/kripke/bdd"

// compose does the quantifications on 2n variables.
type compose struct {
	d                                    *diagrams
	follow, block, step1, step2          *bdd.Composition
	reaches, stuckPair, chain, toTargets *bdd.Composition
}

func newCompose(d *diagrams) (*compose, error) {
	c := &compose{d: d}
	var failed error
	prepare := func(result, f, g [2]string) *bdd.Composition {
		x, err := d.m.NewComposition(result[:], f[:], g[:])
		if err != nil {
			failed = err
		}
		return x
	}
	// compose_odd(a(y, x), b(u, x)) and compose(a(x, y), b(x, u)), named by the
	// vectors i, i' of the implementation and t, t' of the tableau.
	c.follow = prepare([2]string{"i'", "t"}, [2]string{"t", "t'"}, [2]string{"i'", "t'"})
	c.block = prepare([2]string{"i", "t"}, [2]string{"i", "i'"}, [2]string{"i'", "t"})
	c.step1 = prepare([2]string{"i'", "t"}, [2]string{"i", "t"}, [2]string{"i", "i'"})
	c.step2 = prepare([2]string{"i'", "t'"}, [2]string{"i'", "t"}, [2]string{"t", "t'"})
	c.reaches = prepare([2]string{"i", "t'"}, [2]string{"i", "i'"}, [2]string{"i'", "t'"})
	c.stuckPair = prepare([2]string{"t", "t'"}, [2]string{"i", "t"}, [2]string{"i", "t'"})
	c.chain = prepare([2]string{"x", "z"}, [2]string{"x", "y"}, [2]string{"y", "z"})
	c.toTargets = prepare([2]string{"x", "z"}, [2]string{"x", "y"}, [2]string{"z", "y"})
	return c, failed
}

// blocked is compose_odd(Ri(i, i'), ¬compose_odd(Rt(t, t'), SIM(i', t'))).
func (c *compose) blocked(sim bdd.Ref) bdd.Ref {
	m := c.d.m
	return m.Compose(c.block, c.d.ri, m.Compose(c.follow, c.d.rt, sim).Not())
}

// image is compose(compose(r(i, t), Ri(i, i')), Rt(t, t')).
func (c *compose) image(r bdd.Ref) bdd.Ref {
	m := c.d.m
	return m.Compose(c.step2, m.Compose(c.step1, r, c.d.ri), c.d.rt)
}

func (c *compose) stuck(r bdd.Ref) bdd.Ref {
	m := c.d.m
	return m.Compose(c.stuckPair, r, m.Compose(c.reaches, c.d.ri, r).Not())
}

func (c *compose) related(a, b bdd.Ref) bdd.Ref { return c.d.m.Compose(c.chain, a, b) }

func (c *compose) relatedTargets(a, b bdd.Ref) bdd.Ref { return c.d.m.Compose(c.toTargets, a, b) }
