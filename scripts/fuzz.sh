#!/bin/sh
# Runs every native fuzz test for a while: fuzz.sh TIME (of each, such as 5s).
set -eu
time=${1:-5s}
for file in $(git ls-files '*_test.go' | xargs grep -l '^func Fuzz'); do
	dir=$(dirname "$file")
	for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$file"); do
		echo "$dir $name"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "./$dir"
	done
done
