package cert

// Layer is a part of a proof that several properties hold. The properties of earlier
// layers, and their invariants, are given.
type Layer struct {
	Properties []int // that it proves; none where it only helps later ones
	// Invariant is inductive, given what earlier layers prove, and excludes the bad states
	// of the properties. Nil: they are K-inductive together, given the same.
	Invariant *Invariant
	K         int
}
