// Package webpage is the look that all HTML reports share: one file that needs no network,
// with one style sheet and one script. What a report shows comes from designs, and is
// text: the templates escape it, and the page's security policy lets only the page's own
// script run.
package webpage

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"io/fs"

	"netcov/internal/visible"
)

//go:embed base.html page.css page.js
var files embed.FS

var (
	style, script = read("page.css"), read("page.js")
	policy        = makePolicy()
)

func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is in the program
	}
	return text
}

// makePolicy forbids all but the style and the script.
func makePolicy() string {
	hash := sha256.Sum256(script)
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// Parse returns the template of a page from files that define its parts "header" and
// "main". Beside funcs they may call text and lines, which make names of a design fit to be
// read on one line or on several. It panics when a file is wrong.
func Parse(from fs.FS, pattern string, funcs template.FuncMap) *template.Template {
	own := template.FuncMap{"text": visible.Line, "lines": visible.Text}
	t := template.New("base.html").Funcs(own).Funcs(funcs)
	return template.Must(template.Must(t.ParseFS(files, "base.html")).ParseFS(from, pattern))
}

// Write writes a page: both parts show data.
func Write(w io.Writer, t *template.Template, title string, data any) error {
	return t.Execute(w, struct {
		Title, Policy string
		Style         template.CSS
		Script        template.JS
		Data          any
	}{visible.Line(title), policy, template.CSS(style), template.JS(script), data})
}
