package main

import (
	"context"
	"errors"
	"testing"
)

func TestUntilInterrupted(t *testing.T) {
	if n, err := untilInterrupted(t.Context(), func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Fatal(n, err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("why")
	never := make(chan int)
	defer close(never)
	_, err := untilInterrupted(ctx, func() (int, error) {
		stop(why)
		return <-never, nil
	})
	if !errors.Is(err, why) {
		t.Fatal(err)
	}
}
