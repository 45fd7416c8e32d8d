package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// topic is a group of flags in the help of a command that has many.
type topic struct {
	title string
	flags *pflag.FlagSet
}

func newTopic(title string) topic {
	fs := pflag.NewFlagSet(title, pflag.ContinueOnError)
	fs.SortFlags = false
	return topic{title, fs}
}

// groupFlags gives the command the flags of the topics, and a usage text that lists
// them by topic. Flags of no topic, such as --help, come last.
func groupFlags(c *cobra.Command, topics ...topic) {
	c.Flags().SortFlags = false
	for _, t := range topics {
		c.Flags().AddFlagSet(t.flags)
	}
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n", c.UseLine())
		rest := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, t := range topics {
				if t.flags.Lookup(f.Name) != nil {
					return
				}
			}
			rest.AddFlag(f)
		})
		for _, t := range append(topics, topic{"Help", rest}) {
			if t.flags.HasAvailableFlags() {
				fmt.Fprintf(w, "\n%s:\n%s", t.title, t.flags.FlagUsages())
			}
		}
		return nil
	})
}

// complete makes a shell offer the values of a flag.
func complete(c *cobra.Command, flag string, values ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}
