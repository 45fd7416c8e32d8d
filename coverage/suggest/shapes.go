package suggest

// shape is one form of assertions that people write.
type shape struct {
	name, what string
	mine       func(g *group, propose func(given []*term, then *term))
}

// shapes is the table of all shapes, in the order in which they are mined: of
// assertions that say the same the first stays.
var shapes = []shape{
	{"range", "a register is at most or at least a number, or never has a value", mineRange},
	{"encoding", "one bit of a register is 1, or at most one", mineEncoding},
	{"exclusion", "two signals are never 1 at once", mineExclusion},
	{"implication", "one or two signals imply another, or a value", mineImplication},
	{"relation", "two or three words agree: equal, ordered, sum or difference", mineRelation},
	{"invariant", "a clause of the proof of the properties", mineInvariant},
	{"stable", "a register stays as it is unless a condition is met", mineStable},
	{"response", "what is asked for comes within some steps", mineResponse},
	{"next", "the next value under a condition: a number, another word, one more or less, shifted", mineNext},
}
