# netcov: build, test and measure. `make help` lists the targets.

GO        ?= go
BIN       := bin/netcov
DEMO      := benchmarks/designs/counter.aag
FUZZ_TIME ?= 10s

.PHONY: help build demo test tools lint fuzz bench bench-kripke clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/'

build: ## build the command into bin/
	$(GO) build -o $(BIN) ./cmd/netcov

demo: build ## build, then run the main job on a design of the repository
	$(BIN) cover $(DEMO)

tools: ## install what the tests compare with (Debian; needs root)
	sh scripts/install-tools.sh

test: lint ## static checks and all tests, the fuzz tests with their known inputs
	$(GO) build ./...
	$(GO) test -timeout 45m ./...

lint: ## gofumpt, go vet, staticcheck
	sh scripts/lint.sh

fuzz: ## search for new inputs, with every fuzz test for FUZZ_TIME
	sh scripts/fuzz.sh $(FUZZ_TIME)

bench: build ## the benchmark harness: BENCH_DIR=folder of AIGER files
	$(GO) run ./benchmarks/harness -netcov $(BIN) -dir $(BENCH_DIR) -out out/bench $(BENCH_ARGS)

bench-kripke: ## tables and figures of the algorithms on Kripke structures, in out/kripke
	$(GO) run ./benchmarks/kripke/kgg99
	$(GO) run ./benchmarks/kripke/automata
	$(GO) run ./benchmarks/kripke/ctl -out out/kripke $(KRIPKE_ARGS)
	$(GO) run ./benchmarks/kripke/simulation -out out/kripke $(KRIPKE_ARGS)

clean: ## remove what was built
	rm -rf bin out
