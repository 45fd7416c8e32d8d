package suggest

import "strings"

// candidate is an assertion that holds on all samples: where all conditions hold, so
// does the conclusion.
type candidate struct {
	shape string
	about *Word   // whose register it was searched for
	given []*term // of one bit
	then  *term
	// copies tells that it says nearly what the next-state function of its register
	// does.
	copies bool
	cost   float64 // literals, and what makes it less natural

	key string
}

// history is the number of steps that it looks back.
func (c *candidate) history() int {
	n := c.then.history()
	for _, t := range c.given {
		n = max(n, t.history())
	}
	return n
}

// literals counts the words and numbers that a reader has to look at.
func (c *candidate) literals() int {
	n := c.then.literals()
	for _, t := range c.given {
		n += t.literals()
	}
	return n
}

// holds is the assertion as one term.
func (c *candidate) holds() *term {
	if len(c.given) == 0 {
		return c.then
	}
	return apply(opEither, apply(opUnless, apply(opBoth, c.given...)), c.then)
}

// words are the words that it speaks of.
func (c *candidate) words() []*Word {
	var all []*Word
	seen := map[*Word]bool{}
	c.holds().leaves(func(w *Word, _ int) {
		if !seen[w] {
			seen[w] = true
			all = append(all, w)
		}
	})
	return all
}

// condition is the text before the assertion, "" for none.
func (c *candidate) condition(name func(*Word) string) string {
	var parts []string
	for _, t := range c.given {
		s := t.text(name)
		if t.op == opEither {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " && ")
}

// text is the assertion as one expression.
func (c *candidate) text(name func(*Word) string) string {
	then := c.then.text(name)
	if len(c.given) == 0 {
		return then
	}
	return c.condition(name) + " -> " + then
}

// oddity is what is added for what few people would write.
func (c *candidate) oddity() float64 {
	odd := 0.0
	var walk func(t *term)
	walk = func(t *term) {
		switch {
		case t.op == opNot && t.self() > 1, t.op == opOr, t.op == opXor, t.op == opAnd && t.args[1].op == opWord:
			odd += 2
		case (t.op == opAdd || t.op == opSub) && t.args[1].op == opWord && t.args[1].past > 0:
			odd++
		case t.op == opSlice && t.high > t.low:
			odd++
		}
		for _, a := range t.args {
			walk(a)
		}
	}
	walk(c.then)
	if c.shape == "next" && c.then.op == opNe {
		odd += 2
	}
	return odd
}
