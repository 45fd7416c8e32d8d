// A look at the tokens of the sources, before yosys sees them: what may run a
// program is refused, and so is what yosys passes over in silence although a
// property depends on it. All else is left to the parser.

package verilog

import (
	"fmt"
	"strings"

	"netcov/frontend/sva"
	"netcov/frontend/verilog/preprocess"
)

// token is a word, a number, a string with its quotes, a comment that tools act on,
// or another character.
type token struct {
	text       string
	start, end int // in the text
	at         preprocess.Place
}

// place is where the token stands in the files.
func (t token) place() place { return place{file: t.at.File, line: t.at.Line} }

// scan splits a text into tokens.
func scan(t *preprocess.Text) []token {
	var tokens []token
	text, line := string(t.Text), 0
	for at := 0; at < len(text); {
		start := at
		switch c := text[at]; {
		case c == '\n':
			line++
			at++
			continue
		case c <= ' ':
			at++
			continue
		case c == '"':
			for at++; at < len(text) && text[at] != '"' && text[at] != '\n'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			at = min(at+1, len(text))
		case c == '\\':
			for at < len(text) && text[at] > ' ' {
				at++
			}
		case strings.HasPrefix(text[at:], "/*"):
			_, after, _ := strings.Cut(text[at:], "*/")
			at = len(text) - len(after)
		case strings.HasPrefix(text[at:], "(*"), strings.HasPrefix(text[at:], "*)"):
			at += 2
		case isIdentifier(c):
			for at < len(text) && isIdentifier(text[at]) {
				at++
			}
		default:
			at++
		}
		if line < len(t.Lines) {
			tokens = append(tokens, token{text[start:at], start, at, t.Lines[line]})
		}
	}
	return tokens
}

func isIdentifier(c byte) bool {
	return c == '_' || c == '$' || c == '`' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// textAt returns the text of a token, "" behind the last.
func textAt(tokens []token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i].text
}

// reserved are the attributes that hide a register from this package.
var reserved = map[string]string{
	"nosync":           "yosys makes no register of what has it",
	"yreg":             "it is netcov's own",
	temporaryAttribute: "it is netcov's own",
}

// refuseTokens refuses what may not reach yosys.
func refuseTokens(tokens []token) error {
	attribute := false
	for i, t := range tokens {
		next := textAt(tokens, i+1)
		if isName(t.text) && strings.HasPrefix(t.text[strings.LastIndexAny(t.text, `.\`)+1:], sva.Prefix) {
			return refuse(t.place(), "rename it", "the name %s begins with %s, as those of checkers do", t.text, sva.Prefix)
		}
		switch {
		case textAt(tokens, i-1) == ".":
			continue // the name of a port
		case t.text == "export" && strings.HasPrefix(next, `"`):
			return refuse(t.place(), "write export \"DPI-C\" function NAME;, or leave it out with a define", "a form of export %s that is not supported", next)
		case t.text == "import" && strings.HasPrefix(next, `"`):
			return refuse(t.place(), "write the function in Verilog, or leave it out with a define",
				"%s %s: a function of another language (DPI) would run on this machine", t.text, next)
		case t.text == "(*" && next != ")":
			attribute = true
		case t.text == "*)":
			attribute = false
		case attribute && reserved[strings.TrimPrefix(t.text, `\`)] != "":
			return refuse(t.place(), "remove it", "the attribute %s: %s", t.text, reserved[strings.TrimPrefix(t.text, `\`)])
		}
	}
	return nil
}

// findModern finds what yosys' own parser reads in part or not at all, and slang
// does: packages, interfaces, import, parameters that are types.
func (s *sources) findModern(tokens []token) {
	if s.modern != nil {
		return
	}
	for i := range tokens {
		t := &tokens[i]
		before := textAt(tokens, i-1)
		switch t.text {
		case "package", "interface", "import":
		case "type":
			if before != "parameter" && before != "localparam" && before != "," && before != "(" {
				continue
			}
		default:
			continue
		}
		if before == "." {
			continue
		}
		s.modern = t
		return
	}
}

// switchedOff returns notes on assertions between translate_off and translate_on,
// which yosys does not read.
func switchedOff(tokens []token) []string {
	var notes []string
	var from *token
	count := 0
	for i := range tokens {
		t := &tokens[i]
		switch {
		case strings.HasPrefix(t.text, "/*") && strings.Contains(t.text, "translate_off"):
			if from == nil {
				from, count = t, 0
			}
		case strings.HasPrefix(t.text, "/*") && strings.Contains(t.text, "translate_on"):
			notes = append(notes, offNote(from, count)...)
			from = nil
		case t.text == "assert":
			count++
		}
	}
	return append(notes, offNote(from, count)...)
}

func offNote(from *token, count int) []string {
	if from == nil || count == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s not read: translate_off at %s:%d", stand(count, "assertion is", "assertions are"), from.at.File, from.at.Line)}
}

// asserting is a module with assertions.
type asserting struct {
	name  string
	at    place
	count int
}

// assertingModules lists the modules that have assertions of their own.
func assertingModules(tokens []token) []asserting {
	var list []asserting
	var m asserting
	for i, t := range tokens {
		switch t.text {
		case "module", "macromodule":
			name := textAt(tokens, i+1)
			if name == "automatic" || name == "static" {
				name = textAt(tokens, i+2)
			}
			m = asserting{name: strings.TrimPrefix(name, `\`), at: t.place()}
		case "endmodule":
			if m.count > 0 && m.name != "" {
				list = append(list, m)
			}
			m = asserting{}
		case "assert":
			m.count++
		}
	}
	return list
}

// notBelow returns notes on modules with assertions that the top module does not use.
func (s *sources) notBelow(h *hierarchy) []string {
	used := map[string]bool{}
	for _, name := range h.modules {
		used[name] = true
	}
	var notes []string
	for _, m := range s.asserting {
		if !used[m.name] {
			notes = append(notes, fmt.Sprintf("module %s (%s:%d) is not below the top module %s: %s not read", m.name, m.at.file, m.at.line, h.top, stand(m.count, "assertion is", "assertions are")))
		}
	}
	return shortList(notes)
}

// notTaken returns notes on assertions in branches that were not taken.
func notTaken(skipped []preprocess.Skipped) []string {
	var notes []string
	for _, s := range skipped {
		where := fmt.Sprintf("%s:%d", s.First.File, s.First.Line)
		if s.Unless {
			notes = append(notes, fmt.Sprintf("%s under `ifndef %s (%s), which is defined", stand(s.Count, "assertion stands", "assertions stand"), s.Macro, where))
			continue
		}
		notes = append(notes, fmt.Sprintf("%s under `ifdef %s (%s), which is not defined", stand(s.Count, "assertion stands", "assertions stand"), s.Macro, where))
	}
	return shortList(notes)
}

// stand puts a number before one of two phrases.
func stand(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// unread are the words that begin what yosys' parser does not know.
var unread = []struct{ word, what, cure string }{
	{"disable", "disable iff", "write the assertion in a clocked block, under if (!reset)"},
	{"covergroup", "covergroup", "leave it out with a define"},
	{"checker", "checker", "make it a module, and instantiate it"},
	{"program", "program", "make it a module, or leave it out with a define"},
	{"class", "class", "leave it out with a define"},
	{"clocking", "clocking", "name the clock in each always block"},
	{"sequence", "sequence", "keep the history in registers, and write an assert in a clocked block"},
	{"property", "a concurrent assertion", "keep the history in registers, and write an assert in a clocked block"},
	{"final", "final", "write the assertion in a clocked block"},
	{"expect", "expect", "write an assert"},
	{"let", "let", "write a function or a macro"},
	{"primitive", "primitive", "write it as a module"},
	{"import", "import", "write package::name at each use"},
	{"else", "assert with else", "remove the else and its action: an assertion that fails is reported anyway"},
}

// construct names what stands on a line of a text that yosys' parser refuses, with
// a way around it.
func (s *sources) construct(text, line int) (what, cure string) {
	if text < 1 || text > len(s.texts) || line < 1 || line > len(s.texts[text-1].Lines) {
		return "", ""
	}
	at := s.texts[text-1].Lines[line-1]
	var words []string
	for _, t := range scan(&s.texts[text-1]) {
		if t.at == at {
			words = append(words, t.text)
		}
	}
	asserts := false
	for _, w := range words {
		asserts = asserts || w == "assert" || w == "assume" || w == "cover"
	}
	for _, u := range unread {
		for i, w := range words {
			if w == u.word && (w != "else" || asserts) && (i == 0 || words[i-1] != ".") {
				return u.what, u.cure
			}
		}
	}
	return "", ""
}
