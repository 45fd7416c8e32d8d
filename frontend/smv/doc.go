// Package smv reads NuSMV's synchronous finite-state language and turns it
// into a netlist, and into an explicit state graph for the algorithms on Kripke
// structures. The reference is the NuSMV 2.6 user manual, chapter 2; where the
// manual is silent, NuSMV 2.6 itself.
//
// Data flows one way:
//
//	text → tokens (lexer.go) → syntax trees (ast.go, parse.go, expr.go)
//	     → instances and symbols (instance.go)
//	     → typed expressions, a DAG (elaborate.go, build.go, types.go)
//	     → definitions and constraints (program.go, assign.go)
//	     → bits on an and-inverter graph (value.go, arith.go, eval.go, choose.go)
//	     → latches, inputs, constraints (encode.go, obligations.go; repair.go for circuits)
//	     → *design.Design (compile.go) or *Model (model.go)
//
// # What is read
//
// MODULE with parameters (by reference), nested instances, self, ISA; VAR,
// IVAR, FROZENVAR of type boolean, enumeration (symbols and integers mixed),
// integer range, signed and unsigned word, array; DEFINE (arrays too),
// CONSTANTS, ASSIGN (init, next, plain), INIT, TRANS, INVAR, FAIRNESS, JUSTICE, COMPASSION;
// process (see process.go);
// INVARSPEC, SPEC, CTLSPEC, LTLSPEC; all basic expressions of the manual.
//
// As extensions, the constants 0 and 1 stand for FALSE and TRUE where a boolean
// is needed (NuSMV before 2.5.1; noted), sets may hold words, bounds of a range
// may be any constant expressions, p W q is weak until and p R q is p V q, and a->b
// needs no spaces although '-' may stand in identifiers.
//
// Errors with line and column: PSLSPEC, unbounded integers
// and arrays, reals, arrays of modules, uninterpreted functions, READ and WRITE.
// COMPUTE asks for a number, not for a verdict: it is skipped with a note.
//
// # What the netlist means
//
// A state is a valuation of the VARs and FROZENVARs. A variable that has a next
// or init assignment, is frozen, or stands under next() becomes latches; one
// with a plain deterministic assignment is combinational; any other is free in
// each step and becomes inputs, as IVARs do. A conjunct of INIT, TRANS or INVAR
// that reads v = e, next(v) = e or the like defines v where nothing else does
// and no cycle arises; what remains is a constraint. Choices from sets become
// inputs. Raw codes outside a domain are mapped into it, so that no constraint
// is needed for domains whose size is no power of two.
//
// INVAR is a constraint of every step. TRANS is checked one step late, by a
// latch that remembers whether the last step was legal: the reachable states are
// exactly NuSMV's, and a bad state counts although it has no successor. An
// INVARSPEC that reads next() or an IVAR speaks of steps, as in NuSMV: its bad
// state literal is a latch set by the step. INIT holds in the first step only.
//
// An expression fails when no case applies, on a division by zero, an index
// outside of the array, or a shift by less than 0 or more than the width. As in
// NuSMV a failure does not matter where the other operand of a connective
// decides, and it is an error when some valuation of the variables (reachable or
// not) reaches it. An assignment of a value outside of the variable's domain is
// an error in the same way. Both are decided by a SAT solver, so the error names
// a valuation. In a constraint a value outside of the domain only makes the
// constraint false.
package smv
