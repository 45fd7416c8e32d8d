#!/bin/sh
# Installs the programs that netcov runs and that tests and benchmarks compare it
# with: Debian packages, and a newer yosys from npm into a folder of the project.
# Tests that need one skip when it is absent.
set -eu
cd "$(dirname "$0")"
packages="berkeley-abc minisat yosys ghdl iverilog spin graphviz lcov gtkwave chromium slurm-wlm munge"
missing=
for p in $packages; do
	dpkg -s "$p" >/dev/null 2>&1 || missing="$missing $p"
done
command -v npm >/dev/null || missing="$missing npm"
if [ -n "$missing" ]; then
	if [ "$(id -u)" != 0 ]; then
		echo "install-tools: run as root, or install:$missing" >&2
		exit 1
	fi
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi
sh yosys-npm/install.sh || echo "install-tools: goes on without the yosys of npm" >&2
