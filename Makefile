# Everything from a clean clone: needs Python 3.11 or newer with pip, a C compiler and make. `make help` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := .ci/constraints.txt
ENGINE ?= $(BIN)/spades-engine
TWO := draft,draft300,duel
BINARY := build/binary/spades-engine/spades-engine

# SPADES_KERNEL_CHECKED=1 builds the kernel with bounds, initialisation and overflow checks.
export SPADES_KERNEL_CHECKED ?= 0
MODE := $(if $(filter-out 0,$(SPADES_KERNEL_CHECKED)),checked,fast)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
PIP := $(BIN)/python -m pip --quiet

# What is compiled: each module with a .pxd, and its readable source.
KERNEL := $(foreach pxd,$(wildcard spades_engine/*/_*.pxd),$(pxd) $(subst /_,/,$(pxd:.pxd=.py)))
# What a wheel is made of. Folders are listed too: they grow newer when a file is taken away.
SHIPPED := pyproject.toml setup.py README.md LICENSE $(shell find spades_engine protocol/spades_protocol \
	clients/python/spades_client clients/match/spades_match protocol/conformance -name __pycache__ -prune -o -name '*.so' -prune -o -print)

.DELETE_ON_ERROR:
.PHONY: help venv build demo test test-checked lint format types imports check conformance oracle perft fuzz \
	fuzz-kernel fairness life bench bench-check bench-protocol bench-kernel bench-match bench-clocks strength \
	situations strength-house strength-parts strength-late strength-time strength-bound strength-levels strength-beliefs kills simulation packaging binary lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/\1\t\2/p' Makefile | expand -t 18

# The environment ------------------------------------------------------------------------------------------------------

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tools: pyproject.toml $(LOCK) | $(BIN)/python
	$(PIP) install -c $(LOCK) pip
	$(PIP) install -c $(LOCK) --group dev
	@touch $@

$(VENV)/.built-$(MODE): $(VENV)/.tools setup.py pyproject.toml $(KERNEL)
	@rm -f $(VENV)/.built-*
	@# setuptools warns of every editable install; what matters shows in build/dist.log
	PYTHONWARNINGS=ignore $(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

venv build: $(VENV)/.built-$(MODE)  ## make .venv: tools, packages, compiled kernel

# What a newcomer runs -------------------------------------------------------------------------------------------------

demo: build  ## watch a short game
	$(BIN)/python clients/examples/python/demo.py

test: build  ## run the tests (ARGS="-k nil" for some of them)
	$(BIN)/pytest --import-mode=importlib -n logical --dist worksteal $(ARGS)

test-checked:  ## run the tests on a kernel that checks bounds and overflow
	$(MAKE) test SPADES_KERNEL_CHECKED=1

# Checks ---------------------------------------------------------------------------------------------------------------

lint: $(VENV)/.tools  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.tools  ## ruff: mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: build  ## mypy --strict
	$(BIN)/mypy --strict

imports: build  ## who may import whom
	$(BIN)/lint-imports --no-logo

check: lint types imports test  ## all of the above

conformance: build  ## the conformance suite against ENGINE
	$(BIN)/python protocol/conformance/run.py -- $(ENGINE)

oracle: build  ## random rules and games against the independent implementation of the rules
	$(BIN)/python -m tests.game.run_oracle $(ARGS)

perft: build  ## every perft count, the deep ones too, by the rules and by the independent implementation
	$(BIN)/python -m tests.perft.run_perft $(ARGS)

fuzz: build  ## random lines against the engine
	$(BIN)/python -m tests.fuzz.run_fuzz $(ARGS)

fuzz-kernel: build  ## random endings against brute force, compiled kernel against its twin
	$(BIN)/python -m tests.search.run_kernel_fuzz $(ARGS)

fairness: build  ## chi-square of card against position over a million deals
	$(BIN)/python -m tests.game.run_chi_square $(ARGS)

life: build  ## every way to end the process, a hundred times each
	SPADES_LIFE_REPEATS=100 SPADES_RACE_REPEATS=500 $(BIN)/pytest --import-mode=importlib tests/engine/test_process_life.py \
		tests/engine/test_process_search.py

bench: build  ## nodes and nodes per second of the engine
	$(ENGINE) bench $(ARGS)

bench-check: build  ## the node count of bench must be the one on record
	$(BIN)/python -m tests.packaging.check_bench $(ENGINE)

bench-protocol: build  ## the cost of a message
	$(BIN)/python -m tests.bench.bench_protocol $(ARGS)

bench-kernel: build  ## the solver: time a deal, compiled against plain
	$(BIN)/python -m tests.bench.bench_kernel $(ARGS)

bench-clocks: build  ## how late answers are at 0, 1, 5 and 50 ms a move, with all cores busy
	$(BIN)/python -m tests.bench.bench_clocks $(ARGS)

bench-match: build  ## what the match runner costs: CPU a decision, hands a second, memory
	$(BIN)/python -m tests.bench.bench_match $(ARGS)

strength: build  ## any of the matches below by its own words (ARGS="--rules duel --without beliefs")
	$(BIN)/python -m tests.strength.run_strength $(ARGS)

strength-house: build  ## games against the house player that came first, at its best
	$(BIN)/python -m tests.strength.run_strength --rules $(TWO) --mode games --pairs 40 --limit nodes=20000 \
		--their-limit nodes=2500 --without exact+bids+draft+plays $(ARGS)

strength-parts: build  ## what each part of the two-player game is worth, in points a hand
	$(BIN)/python -m tests.strength.run_strength --rules $(TWO) --pairs 200 --limit nodes=20000 $(ARGS)

strength-late: build  ## equity against points, games that start near their end
	$(BIN)/python -m tests.strength.run_strength --rules draft --mode games --pairs 200 --limit nodes=20000 \
		--totals 380,380 --without equity --without chart $(ARGS)

strength-time: build  ## strength against time: 5, 20, 100 and 500 ms a move, each against 20
	$(BIN)/python -m tests.strength.run_strength --rules $(TWO) --pairs 100 --limit movetime=20 \
		--against ms5=movetime=5 --against ms100=movetime=100 --against ms500=movetime=500 $(ARGS)

strength-bound: build  ## the distance to a player that sees the other hand, in play alone and in bids and play
	$(BIN)/python -m tests.strength.run_bound --rules $(TWO) --sees play $(ARGS)
	$(BIN)/python -m tests.strength.run_bound --rules $(TWO) --sees bids+play $(ARGS)

situations: build  ## the situations that users complained about, at three seeds
	SPADES_SITUATION_SEEDS=3 $(BIN)/pytest --import-mode=importlib -n logical tests/situations

strength-levels: build  ## the levels of skill against the highest, and the lowest against a beginner
	$(BIN)/python -m tests.strength.run_levels $(ARGS)

strength-beliefs: build  ## log loss of the worlds against the deal, by phase
	$(BIN)/python -m tests.strength.run_beliefs $(ARGS)

kills: build  ## a match killed at fifty random moments and resumed, byte for byte
	$(BIN)/python -m tests.match.run_kills $(ARGS)

simulation: build  ## coverage of the intervals and error rates of the sequential test, by simulation
	$(BIN)/python -m tests.match.run_simulation $(ARGS)

# Distribution ---------------------------------------------------------------------------------------------------------

# The wheel is built from the sdist, so it never holds a file that a build folder kept from an earlier one.
build/dist/.stamp: $(VENV)/.tools $(SHIPPED)
	@rm -rf build/dist && mkdir -p build/dist
	PIP_CONSTRAINT=$(abspath $(LOCK)) $(BIN)/python -m build --outdir build/dist . >build/dist.log 2>&1 || { cat build/dist.log; exit 1; }
	@touch $@

packaging: build/dist/.stamp  ## sdist and wheel, installed and run outside the tree
	$(BIN)/python -m tests.packaging.check_dist build/dist

$(BINARY): build/dist/.stamp $(wildcard .pyinstaller/*) SPEC.md
	$(BIN)/python .pyinstaller/freeze.py build/dist build/binary

binary: $(BINARY)  ## the stand-alone folder build in build/binary, frozen from the wheel, and its archive
	$(BIN)/python -m tests.packaging.check_binary $(BINARY)

lock:  ## renew the pinned versions of the tools
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --quiet install --upgrade pip
	build/lock/bin/python -m pip --quiet install --group dev --group freeze
	{ echo "# Written by 'make lock': the versions that the tools in .venv and the frozen binary are built with."; \
	  build/lock/bin/python -m pip freeze --all; } >$(LOCK)

clean:  ## remove everything that make made
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
	find spades_engine -name '*.so' -delete
