# make demo and make test are all that a newcomer needs: Go, a C++ compiler and make. A test tells by testing.Short that it is left to make test-all,
# and by PIPELINE_ENDURANCE that it has more to do in make endurance.
GO      ?= go
BIN     := bin/pipeline
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)

# Tests compare paths, and the folder for temporary files of macOS is below a link.
TMPDIR := $(realpath $(TMPDIR))

# What make bench measures: times the store of a heavy user, how often, a Python with duckdb, orjson and pyarrow for the script beside it, and
# the core to pin to (empty: the first). STORES: which stores, see bin/bench/bench -help.
SCALE   ?= 1
STORES  ?= real,smooth
SCALES  ?= 1,3,10
RUNS    ?= 3
SEED    ?= 7
SKEW    ?= 0
PYTHON  ?= python3
CORE    ?=
FLEET   ?= 1000
BENCH   := bin/bench/bench

# What make test leaves out; empty: nothing.
SHORT ?= -short

# What make dist builds for: linux/amd64,windows/amd64 for example; empty: every target of .ci/dist.toml that can be built here.
TARGETS ?=
# Where the files of the release will be, for Homebrew, Scoop and winget; empty: see .ci/dist.toml.
URL ?=

ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

.PHONY: build man dist demo test test-first test-second test-others test-all test-dist lint audit race endurance bench bench-growth bench-agents bench-push bench-answers bench-go store-of-shape clean help

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

build: ## build bin/pipeline
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/pipeline

man: build ## write the manual page, bin/pipeline.1
	$(BIN) man > $(BIN).1

dist: ## archives, packages for pip, npm, Homebrew, Scoop and winget, bills of materials and checksums in dist (TARGETS=linux/amd64: of this target only); needs Python 3.11 and the network once
	$(PYTHON) .ci/dist.py --version '$(VERSION)' --targets '$(TARGETS)' $(if $(URL),--url '$(URL)')

demo: build ## make a synthetic year, load it, ask it three questions, draw report.html
	rm -rf bin/demo bin/demo.duckdb bin/demo.duckdb.* bin/report.html
	$(BIN) demo --out bin/demo
	$(BIN) run --source bin/demo --git --usage bin/demo/usage --warehouse bin/demo.duckdb
	@for answer in hours_by_project tool_failures billed_by_model; do printf '\n'; $(BIN) answers --warehouse bin/demo.duckdb $$answer || exit; done
	@printf '\n'
	@$(BIN) report --warehouse bin/demo.duckdb -o bin/report.html

# Each process runs one test at a time, on one core: engines of one process share one lock on its memory, and two tests at once take two thirds more CPU time, and no
# less time. Package pipelines has as many tests as all others together, so its tests run in two processes.
# make lint vets; a test's program without symbols is linked in half the time.
TESTS  = GOMAXPROCS=1 $(GO) test $(SHORT) -timeout 150m -parallel 1 -vet=off -ldflags '-s -w'
FIRST := ^Test[A-L]

test: ## what a change needs: every test but the long ones, which need minutes, a browser, Python or ptrace
	@$(MAKE) -j3 test-first test-second test-others

test-first:
	$(TESTS) -run '$(FIRST)' ./pipelines

test-second:
	$(TESTS) -skip '$(FIRST)' ./pipelines

test-others:
	$(TESTS) -p $$(getconf _NPROCESSORS_ONLN) ./cmd/pipeline $$($(GO) list ./... | grep -v '/pipelines$$') ./testdata/gen/...

test-all: ## every test
	@$(MAKE) test SHORT=

lint: ## gofmt, vet, staticcheck, actionlint, lines of at most 120 columns
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt differs: $$unformatted"; exit 1; fi
	$(GO) vet ./... ./testdata/gen/...
	$(GO) tool staticcheck ./... ./testdata/gen/...
	@$(GO) run ./.ci/count -long
	$(GO) run $(ACTIONLINT)
	GOOS=windows CGO_ENABLED=0 $(GO) vet ./extract/... ./transform/... ./sql/schema/ ./cmd/pipeline/internal/schedule/
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./extract/... ./transform/... ./sql/schema/ ./cmd/pipeline/internal/schedule/
	GOOS=windows CGO_ENABLED=0 $(GO) build ./cmd/pipeline/internal/serve/ # its tests need the engine
	GOOS=darwin CGO_ENABLED=0 $(GO) build ./cmd/pipeline/internal/serve/

audit: ## known vulnerabilities in what the program calls, and the licences of what it is linked with (VULNDB=URL: another copy of the vulnerability data)
	GOBIN='$(CURDIR)/bin' $(GO) install $(GOVULNCHECK)
	@bin/govulncheck $(if $(VULNDB),-db '$(VULNDB)') ./... > bin/audit.txt 2>&1; code=$$?; cat bin/audit.txt; \
	if [ $$code != 0 ] && grep -q 'fetching vulnerabilities' bin/audit.txt; then \
		echo 'NOT CHECKED: the vulnerability data cannot be had here. Run make audit where the network reaches it, or name a copy with VULNDB.'; \
	else exit $$code; fi
	$(GO) test -count 1 -run 'TestLicences' ./cmd/pipeline/

race: ## the concurrent parts under the race detector: package extract starts no goroutine, and in pipelines the tests that are marked as concurrent
	$(GO) test -race ./transform/ ./load/textindex/ ./pipelines/

# The tests that do more in an endurance: all others are make test-all's. Each night draws other numbers; NIGHT=n draws those of a night again.
NIGHT = $(shell expr $$(date +%s) / 86400)
endurance-extract:   TESTS_OF = TestEditorStarts|TestCommitLatency
endurance-pipelines: TESTS_OF = TestDamage|TestDisagreeingChats|TestFoldProperty|TestHistories|TestLakeStrangeFiles|TestTeam|TestWALGrows
endurance-cmd:       TESTS_OF = TestFailingCalls|TestFailpoints|TestFlippedBytes|TestKill.*|TestLockPage|TestMemory.*|TestRecipes|TestServeMinutes

endurance: ## the longest tests of stores and of runs: 500 kills, 100 over private copies and 200 over what agents leave, 500 damaged stores, a third of all calls fail, a third of the recipes, 200 flipped bytes, two minutes of serve; a log a package in bin (NIGHT=20787: the same numbers as in that night)
	$(MAKE) -k -j3 NIGHT=$(NIGHT) endurance-extract endurance-pipelines endurance-cmd

endurance-%:
	mkdir -p bin
	PIPELINE_ENDURANCE=$(NIGHT) $(GO) test -timeout 240m -v -run '^($(TESTS_OF))$$' $(if $(filter cmd,$*),./cmd/pipeline,./$*) > bin/endurance-$*.log 2>&1 || \
		{ grep -a -E -A 20 '^ *--- FAIL|^FAIL|^panic' bin/endurance-$*.log; exit 1; }
	tail -n 1 bin/endurance-$*.log

test-dist: ## what people install: the same files from two clones, each program where it runs, a session under Wine (half an hour)
	PIPELINE_ENDURANCE=$(NIGHT) $(GO) test -timeout 120m -v -run '^(TestDist.*|TestUnderWine)$$' ./cmd/pipeline

bench: build ## measure whole runs, and each stage beside its floor (SCALE=10, RUNS=3, PYTHON=python3); the report is in bin/bench too
	$(GO) build -trimpath -o $(BENCH) ./cmd/bench
	$(BENCH) -stores '$(STORES)' -scale '$(SCALE)' -seed '$(SEED)' -skew '$(SKEW)' -runs '$(RUNS)' -core '$(CORE)' -python '$(PYTHON)' -markdown bin/bench/report.md

bench-growth: build ## measure how first and nightly runs grow with the store (SCALES=1,3,10: up to 10 GB of disk)
	$(GO) build -trimpath -o $(BENCH) ./cmd/bench
	$(BENCH) -stores '$(STORES)' -growth -scales '$(SCALES)' -runs '$(RUNS)' -core '$(CORE)' -markdown bin/bench/growth.md

bench-agents: build ## measure first and nightly runs over a store of Cursor 3.x (2 GB of blobs of the agent's graph, SCALE=1)
	$(GO) build -trimpath -o $(BENCH) ./cmd/bench
	$(BENCH) -agents -scale '$(SCALE)' -seed '$(SEED)' -runs '$(RUNS)' -core '$(CORE)' -markdown bin/bench/agents.md

bench-push: build ## measure pushes (SCALES=1,3,10), and how engines read those of many machines (FLEET=1000)
	$(GO) build -trimpath -o $(BENCH) ./cmd/bench
	$(BENCH) -push -scales '$(SCALES)' -runs '$(RUNS)' -core '$(CORE)' -markdown bin/bench/push.md
	$(BENCH) -fleet '$(FLEET)' -markdown bin/bench/fleet.md

bench-answers: build ## measure how long each answer takes (SCALE=10: over ten times the store of a heavy user)
	$(GO) build -trimpath -o $(BENCH) ./cmd/bench
	$(BENCH) -answers -scale '$(SCALE)' -runs '$(RUNS)' -markdown bin/bench/answers.md

store-of-shape: ## a store of the shape that somebody has sent: SHAPE=shape.json OUT=folder
	$(GO) run ./cmd/shapestore '$(SHAPE)' '$(OUT)'

bench-go: ## run the Go benchmarks of the inner parts, for benchstat: make bench-go > new.txt
	@$(GO) test -run '^$$' -bench . -count 6 ./extract/ ./transform/ ./load/warehouse/

clean: ## remove what was built
	rm -rf bin dist
