#!/bin/sh
# Runs every native fuzz test for a while: fuzz.sh TIME (of each, such as 5s).
set -eu
time=${1:-5s}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for file in $(git ls-files '*_test.go' | xargs grep -l '^func Fuzz'); do
	dir=$(dirname "$file")
	for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$file"); do
		echo "$dir $name"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "./$dir" >"$said" 2>&1 && ended=0 || ended=$?
		cat "$said"
		# On a busy machine go test can take the end of the time for a failure, with
		# no input that fails: a failure that is one names its input.
		if [ $ended != 0 ] && ! grep -q '^    context deadline exceeded$' "$said"; then
			exit $ended
		fi
	done
done
