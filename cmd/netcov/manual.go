package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"netcov/internal/atomicfile"
)

func newManualCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "manual DIR",
		Short: "Write a page for each command: man pages or Markdown",
		Long: `Writes a page for each command and each topic of help into DIR, which is made where
there is none: man pages (netcov.1, netcov-cover.1 and so on) or Markdown.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "man" && format != "markdown" {
				return usagef("--format %q: it is man or markdown", format)
			}
			return writeManual(c.Root(), args[0], format)
		},
	}
	c.Flags().StringVar(&format, "format", "man", "form of the pages: man or markdown")
	return c
}

// writeManual writes a page for each command below root.
func writeManual(root *cobra.Command, dir, format string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	if format == "man" {
		// A date would make each page differ each day.
		epoch := time.Unix(0, 0)
		return doc.GenManTree(root, &doc.GenManHeader{Title: "NETCOV", Section: "1", Source: "netcov " + version, Date: &epoch}, dir)
	}
	return writeMarkdown(root, dir)
}

// writeMarkdown writes the page of a command and those of all commands below it.
func writeMarkdown(c *cobra.Command, dir string) error {
	page := markdownPage(c)
	if err := atomicfile.Write(filepath.Join(dir, pageName(c)), func(w io.Writer) error { _, err := io.WriteString(w, page); return err }); err != nil {
		return err
	}
	for _, sub := range below(c) {
		if err := writeMarkdown(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// below are the commands and topics below one that have a page.
func below(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, sub := range c.Commands() {
		if !c.HasParent() && (sub.Name() == "help" || sub.Name() == "completion") || sub.Hidden {
			continue
		}
		out = append(out, sub)
	}
	return out
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") + ".md" }

// markdownPage is the page of a command: what its help says, and the way to the pages
// beside it.
func markdownPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n```\n%s\n```\n", c.CommandPath(), sentence(c.Short), strings.TrimSpace(c.Long))
	if usage := strings.TrimSpace(c.UsageString()); c.Runnable() && usage != "" {
		fmt.Fprintf(&b, "\n```\n%s\n```\n", usage)
	}
	if pages := below(c); len(pages) > 0 {
		b.WriteString("\n")
		for _, sub := range pages {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", sub.CommandPath(), pageName(sub), sentence(sub.Short))
		}
	}
	if c.HasParent() {
		fmt.Fprintf(&b, "\nAll commands: [%s](%s).\n", c.Root().Name(), pageName(c.Root()))
	}
	return b.String()
}

// sentence ends a text with a full stop, unless it is a question.
func sentence(text string) string {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
