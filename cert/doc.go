// Package cert holds what an engine returns as proof of its answer: traces and
// inductive invariants. They are plain values, so that a second opinion can judge
// them without any code of the engine that found them.
package cert
