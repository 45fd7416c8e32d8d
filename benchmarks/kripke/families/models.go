package main

import (
	"fmt"
	"strings"
)

// The families, in SMV. Each defines good, which always holds, and which registers
// decide.
var families = []struct {
	name  string
	model func(n int) string
}{
	{"arbiter", arbiter},
	{"ring", ring},
	{"counters", counters},
	{"fifo", fifo},
	{"pairs", pairs},
}

// model writes a model of its parts.
type model struct{ inputs, registers, assign, defines strings.Builder }

func (m *model) input(name string) { fmt.Fprintf(&m.inputs, "  %s : boolean;\n", name) }

func (m *model) register(name string, reset bool, next string) {
	fmt.Fprintf(&m.registers, "  %s : boolean;\n", name)
	value := map[bool]string{true: "TRUE", false: "FALSE"}[reset]
	fmt.Fprintf(&m.assign, "  init(%[1]s) := %[2]s;\n  next(%[1]s) := %[3]s;\n", name, value, next)
}

func (m *model) define(name, value string) { fmt.Fprintf(&m.defines, "  %s := %s;\n", name, value) }

func (m *model) text() string {
	return "MODULE main\nIVAR\n" + m.inputs.String() + "VAR\n" + m.registers.String() +
		"DEFINE\n" + m.defines.String() + "ASSIGN\n" + m.assign.String()
}

// name is a signal's name with its number.
func name(s string, i int) string { return fmt.Sprint(s, i) }

// exclusive defines good: at most one of n signals is true.
func (m *model) exclusive(signal string, n int) {
	m.define("some0", "FALSE")
	m.define("clash0", "FALSE")
	for i := range n {
		m.define(name("some", i+1), fmt.Sprintf("some%d | %s%d", i, signal, i))
		m.define(name("clash", i+1), fmt.Sprintf("clash%d | some%d & %s%d", i, i, signal, i))
	}
	m.define("good", "!"+name("clash", n))
}

// arbiter grants one of n requests, the first from the one that has the priority,
// which moves on in each step: n registers for the priority and n for the grants.
func arbiter(n int) string {
	var m model
	m.define("first0", "t0")
	for i := range n {
		m.input(name("r", i))
		m.register(name("t", i), i == 0, name("t", (i+n-1)%n))
		m.register(name("a", i), false, fmt.Sprintf("r%d & first%d", i, n+i))
	}
	for i := range 2*n - 1 { // twice round
		m.define(name("first", i+1), fmt.Sprintf("t%d | first%d & !r%d", (i+1)%n, i, i%n))
	}
	m.exclusive("a", n)
	return m.text()
}

// ring has n stations, one of which has the token and may work.
func ring(n int) string {
	var m model
	for i := range n {
		m.input(name("r", i))
		m.register(name("t", i), i == 0, name("t", (i+n-1)%n))
		m.register(name("w", i), false, fmt.Sprintf("t%d & r%d", i, i))
	}
	m.exclusive("w", n)
	return m.text()
}

// counters are two of n bits that count together and stay equal.
func counters(n int) string {
	var m model
	m.input("go")
	m.define("carry0", "go")
	m.define("equal0", "TRUE")
	for i := range n {
		m.register(name("a", i), false, fmt.Sprintf("a%d xor carry%d", i, i))
		m.register(name("b", i), false, fmt.Sprintf("b%d xor carry%d", i, i))
		m.define(name("carry", i+1), fmt.Sprintf("carry%d & a%d", i, i))
		m.define(name("equal", i+1), fmt.Sprintf("equal%d & (a%d <-> b%d)", i, i, i))
	}
	m.define("good", name("equal", n))
	return m.text()
}

// fifo is a queue of n bits in a shift register, with a valid bit for each.
func fifo(n int) string {
	var m model
	m.input("push")
	m.input("pop")
	m.input("bit")
	m.define("order1", "TRUE")
	at := func(s string, i int) string {
		switch {
		case i < 0:
			return "TRUE"
		case i >= n:
			return "FALSE"
		}
		return name(s, i)
	}
	m.define("write", fmt.Sprintf("push & !v%d", n-1))
	m.define("read", "pop & v0 & !push")
	for i := range n {
		m.register(name("v", i), false, fmt.Sprintf("write ? %s : read ? %s : v%d", at("v", i-1), at("v", i+1), i))
		m.register(name("d", i), false, fmt.Sprintf("write & !v%d ? bit : read ? %s : d%d", i, at("d", i+1), i))
		if i > 0 {
			m.define(name("order", i+1), fmt.Sprintf("order%d & (v%d -> v%d)", i, i, i-1))
		}
	}
	m.define("good", name("order", n))
	return m.text()
}

// pairs are n pairs of registers that take the same input.
func pairs(n int) string {
	var m model
	m.define("equal0", "TRUE")
	for i := range n {
		m.input(name("i", i))
		m.register(name("a", i), false, name("i", i))
		m.register(name("b", i), false, name("i", i))
		m.define(name("equal", i+1), fmt.Sprintf("equal%d & (a%d <-> b%d)", i, i, i))
	}
	m.define("good", name("equal", n))
	return m.text()
}
