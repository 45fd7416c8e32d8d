package main

import (
	"io"
	"log/slog"
	"time"

	"github.com/lmittmann/tint"

	"netcov/internal/effort"
)

// newLog returns the log of --verbose.
func newLog(w io.Writer) *slog.Logger {
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: slog.LevelDebug, NoColor: !isTerminal(w), TimeFormat: time.TimeOnly}))
}

// logEngines logs what each engine did, a line an engine.
func logEngines(log *slog.Logger, engines []effort.Engine) {
	for _, e := range engines {
		log.Info("engine", "name", e.Engine, "queries", e.Queries, "decisions", e.Decisions, "conflicts", e.Conflicts,
			"propagations", e.Propagations, "frames", e.Frames, "clauses", e.Clauses, "generalisations", e.Generalisations)
	}
}
