#!/bin/sh
# Formatting and static checks. The tools are pinned and run through the go
# command, so that nothing has to be installed first.
set -eu
go vet ./...
unformatted=$(go run mvdan.cc/gofumpt@v0.12.0 -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted (run gofumpt -w):" >&2
	echo "$unformatted" >&2
	exit 1
fi
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
dead=$(go run golang.org/x/tools/cmd/deadcode@v0.52.0 -test ./...)
if [ -n "$dead" ]; then
	echo "nothing calls these functions (delete them):" >&2
	echo "$dead" >&2
	exit 1
fi
go mod tidy -diff
