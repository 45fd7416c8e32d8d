#!/bin/sh
# Installs the programs that tests and benchmarks compare netcov with. All are
# Debian packages; tests that need one skip when it is absent.
set -eu
packages="berkeley-abc minisat yosys iverilog spin graphviz"
missing=
for p in $packages; do
	dpkg -s "$p" >/dev/null 2>&1 || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ]; then
	echo "install-tools: run as root, or install:$missing" >&2
	exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
