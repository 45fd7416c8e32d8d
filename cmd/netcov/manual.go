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
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		page := markdownPage(c)
		name := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".md")
		if err := atomicfile.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, page); return err }); err != nil {
			return err
		}
	}
	return nil
}

// markdownPage is the page of a command: what its help says.
func markdownPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n```\n%s\n```\n", c.CommandPath(), strings.TrimSuffix(c.Short, "."), strings.TrimSpace(c.Long))
	if usage := strings.TrimSpace(c.UsageString()); c.Runnable() && usage != "" {
		fmt.Fprintf(&b, "\n```\n%s\n```\n", usage)
	}
	return b.String()
}
