// The syntax tree of a property. Sequences and properties share one type, since
// their grammar does: `a and b` is either.

package sva

// op is the operator of a node.
type op uint8

const (
	opBool op = iota // a boolean expression, kept as text

	// Sequences.
	opDelay      // kids[0] ##[lo:hi] kids[1]; kids[0] may be nil
	opRepeat     // kids[0] [*lo:hi]
	opGoto       // kids[0] [->lo:hi]
	opNonconsec  // kids[0] [=lo:hi]
	opThroughout // kids[0] throughout kids[1]
	opWithin
	opIntersect
	opFirstMatch

	// Sequences when both kids are, else properties.
	opAnd
	opOr

	// Properties.
	opStrong
	opWeak
	opNot
	opNext       // nexttime [lo]
	opAlways     // always [lo:hi]
	opEventually // eventually [lo:hi]
	opUntil
	opUntilWith
	opImplies
	opIff
	opIf           // if (kids[0]) kids[1] else kids[2]; kids[2] may be nil
	opOverlap      // |->
	opNonoverlap   // |=>
	opFollows      // #-#
	opFollowsLater // #=#
	opAcceptOn     // accept_on (kids[0]) kids[1]
	opRejectOn
)

// unbounded is the upper bound $.
const unbounded = -1

type node struct {
	op     op
	at     token
	kids   []*node
	lo, hi int
	strong bool    // s_always, s_until, …
	toks   []token // of opBool
}

// sequence reports whether the node may stand where a sequence must.
func (n *node) sequence() bool {
	switch {
	case n.op <= opFirstMatch:
		return true
	case n.op == opAnd || n.op == opOr:
		return n.kids[1].sequence() && n.kids[0].sequence() // a chain is deep on the left
	}
	return false
}

// spec is what stands between the parentheses of an assertion.
type spec struct {
	instances int     // of named sequences and properties, read so far
	operands  int     // boolean expressions, read so far
	clock     []token // of the event, such as posedge clk; nil without one
	disable   []token // the condition of disable iff; nil without one
	body      *node
	// limited is the body of the named property that has the disable iff, which keyword
	// is its place; nil when it is the assertion's own.
	limited *node
	keyword token
}
