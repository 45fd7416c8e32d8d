package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"netcov/frontend/sva"
)

func newLowerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lower FILE",
		Short: "Show what becomes of SystemVerilog's concurrent assertions",
		Long: `Writes a SystemVerilog source in which each concurrent assertion is a checker in
plain Verilog: registers that follow its attempts, and an immediate assertion with
its label, on the same lines. All other text is as it was. Nothing is compiled, and
macros are not expanded. FILE may be - for standard input.

What is not supported is refused with its place. Where it stands under an ` + "`ifdef" + `,
the macro ` + "`" + sva.RefusedMacro + `N takes its place, and the reason is told on standard error.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			read := func() ([]byte, error) { return os.ReadFile(args[0]) }
			name := args[0]
			if name == "-" {
				name, read = "standard input", func() ([]byte, error) { return io.ReadAll(c.InOrStdin()) }
			}
			r, err := untilInterrupted(c.Context(), func() (*sva.Result, error) {
				source, err := read()
				if err != nil {
					return nil, err
				}
				return sva.Lower(name, string(source))
			})
			if err != nil {
				return err
			}
			for i, e := range r.Refused {
				if _, err := fmt.Fprintf(c.ErrOrStderr(), "`%s%d: %v\n", sva.RefusedMacro, i, e); err != nil {
					return err
				}
			}
			_, err = io.WriteString(c.OutOrStdout(), r.Text)
			return err
		},
	}
}

// untilInterrupted does work that knows no context. It returns when the context ends,
// though the work may go on.
func untilInterrupted[T any](ctx context.Context, work func() (T, error)) (T, error) {
	select {
	case o := <-begin(work):
		return o.result, o.err
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}
