// Properties in initial blocks, for slang, which evaluates these blocks itself and
// refuses any that reads a net. An initial block of nothing but properties becomes a
// combinational one, and its properties are marked: they are checked in the first
// step alone, which yosys writes as a trigger of no signal.

package verilog

import "strings"

// initialProperties turns such blocks of a text into combinational ones. It returns
// the new text and the parts of it, from and to, that they are.
func initialProperties(text string, tokens []token) (string, [][2]int) {
	var out strings.Builder
	var spans [][2]int
	done := 0
	for i, t := range tokens {
		if t.text != "initial" || textAt(tokens, i-1) == "." {
			continue
		}
		to := onlyProperties(tokens, i+1)
		if to < 0 {
			continue
		}
		out.WriteString(text[done:t.start] + "always@*")
		from := out.Len()
		if done = t.end; text[done] == ' ' { // columns stay
			done++
		}
		out.WriteString(text[done:tokens[to-1].end])
		done = tokens[to-1].end
		spans = append(spans, [2]int{from, out.Len()})
	}
	out.WriteString(text[done:])
	return out.String(), spans
}

// onlyProperties returns the index behind the statement that begins at i, -1 where it
// is, or holds, anything but properties and conditions of them.
func onlyProperties(tokens []token, i int) int {
	if textAt(tokens, i+1) == ":" && textAt(tokens, i) != "begin" && macroName.MatchString(textAt(tokens, i)) {
		i += 2
	}
	switch textAt(tokens, i) {
	case ";":
		return i + 1
	case "begin":
		if i++; textAt(tokens, i) == ":" {
			i += 2
		}
		for i >= 0 && textAt(tokens, i) != "end" {
			i = onlyProperties(tokens, i)
		}
		if i < 0 {
			return -1
		}
		if textAt(tokens, i+1) == ":" {
			i += 2
		}
		return i + 1
	case "if":
		if i = behindBrackets(tokens, i+1); i < 0 {
			return -1
		}
		if i = onlyProperties(tokens, i); i < 0 || textAt(tokens, i) != "else" {
			return i
		}
		return onlyProperties(tokens, i+1)
	case "assert", "assume", "cover", "restrict":
		if i = behindBrackets(tokens, i+1); textAt(tokens, i) == ";" {
			return i + 1
		}
	}
	return -1
}

// behindBrackets returns the index behind the brackets that open at i, -1 without.
func behindBrackets(tokens []token, i int) int {
	for depth := 0; textAt(tokens, i) == "(" || depth > 0 && i < len(tokens); i++ {
		switch tokens[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
