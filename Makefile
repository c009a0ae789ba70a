# Brelan: one command each. `make` alone lists them.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
SERVE ?=
GAME ?=
PYTEST ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A Python that was upgraded, or a folder that was moved, leaves an environment that finds nothing: it is made anew.
$(shell test ! -e .venv/installed || $(BIN)/python -c 'import brelan' 2>/dev/null || rm -f .venv/installed .venv/ready .venv/site)

# What the house needs to run, and what its makers need besides; both pinned.
.venv/installed: pyproject.toml constraints.txt
	@echo "brelan: creating .venv and installing what the house needs (once, about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "brelan: Python 3.11 or newer is wanted, and this is %s: name another, as PYTHON=python3.13" % sys.version.split()[0])'
	@$(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

.venv/ready: .venv/installed
	@echo "brelan: installing the tools for tests and checks (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

serve: .venv/installed ## start the house: a page to play at (SERVE="--port 9000" for options)
	@$(BIN)/brelan serve $(SERVE)

test: .venv/ready ## run every test, the pages in a real Chromium included
	@sh tests/get-chromium
	@sh tests/get-postgres
	@echo "brelan: running the tests"
	@$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST)

nightly: .venv/ready ## the same at length: 10,000 matches a game compiled and interpreted, all options at random
	@echo "brelan: every state of 10,000 matches a game, compiled and interpreted; every view of as many lists its moves"
	@BRELAN_MATCHES=10000 $(BIN)/python -m pytest -n 2 tests/fast/test_twins.py tests/fast/test_bounds.py \
		tests/laws/test_knowledge.py
	@echo "brelan: what bots think, with every index checked"
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.fast.bounds --minds
	@echo "brelan: 1,000 matches a game beside the second reading of its rules"
	@BRELAN_READINGS=1000 $(BIN)/python -m pytest -n 2 tests/test_readings.py
	@echo "brelan: doings in any order, 500 matches a game"
	@BRELAN_EXAMPLES=500 $(BIN)/python -m pytest -n 2 tests/laws/test_machine.py
	@echo "brelan: 2,000 evenings at a table, 10,000 hand-overs of a seat, 100,000 moves taken back"
	@BRELAN_EVENINGS=2000 BRELAN_HANDOVERS=10000 BRELAN_UNDOS=100000 $(BIN)/python -m pytest -s -n 2 \
		tests/play/test_evenings.py tests/play/test_handovers.py tests/play/test_slips.py
	@echo "brelan: 1,000 matches a game with every option at random, verified strictly"
	@$(BIN)/python -m tests.nightly
	@echo "brelan: a million shuffles of every deck, and the wrong shuffles that must be found out"
	@$(BIN)/brelan audit --shuffles 1000000
	@$(BIN)/brelan audit --shuffles 5000 --seed 1 --mutants
	@echo "brelan: whole matches of every game by OpenSpiel's IS-MCTS, through our adapter"
	@$(BIN)/python -m bench.peers whole --matches 10
	@echo "brelan: 1,000 records, verified by the page's own reading in JavaScript"
	@BRELAN_RECORDS=200 $(BIN)/python -m pytest tests/pages/test_verify.py

chaos: .venv/ready ## kill the house 800 times, cut its power 1,000 times, spoil 100,000 moves on their way (half an hour)
	@$(BIN)/python -m tests.proofs.chaos --cores 2
	@$(BIN)/python -m tests.proofs.power
	@$(BIN)/python -m tests.proofs.troubles
	@$(BIN)/python -m tests.proofs.lines
	@$(BIN)/python -m tests.proofs.workers

leaks: .venv/ready ## compare 100,000 pairs of worlds a game, search every byte of 10,000 matches (some hours)
	@$(BIN)/python -m tests.proofs.leaks --cores 2
	@$(BIN)/python -m tests.proofs.canary --cores 2
	@$(BIN)/python -m tests.proofs.timing

fuzz: .venv/ready ## ask the API whatever it allows and what not, and say a million wild things to the sockets
	@echo "brelan: every route of the API, 1,000 requests each way"
	@BRELAN_EXAMPLES=1000 $(BIN)/python -m pytest -n 2 tests/server/test_fuzz.py
	@$(BIN)/python -m tests.fuzz --messages 1000000

check: .venv/ready ## lint, types, import layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@sh tests/check-scripts

fix: .venv/ready ## repair what can be repaired by machine
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

golden: .venv/ready ## write the golden matches and counts anew (GAME=kuhn: of one game); then read the diff
	@$(BIN)/python -m tests.golden $(GAME)
	@$(BIN)/python -m tests.perft $(GAME)
	@$(BIN)/python -m tests.envs.book

gallery: .venv/ready ## draw every page at telling moments into build/gallery, and say what is amiss (about ten minutes)
	@$(BIN)/python -m tests.gallery

bench: .venv/installed ## measure how fast everything is on this machine
	@$(BIN)/brelan bench

bench-server: .venv/ready ## measure how many the house bears: tables, moves, spectators, newcomers, and its return after a kill
	@$(BIN)/python -m bench.server
	@$(BIN)/python -m bench.lobby
	@$(BIN)/python -m bench.company

# Whom we are compared with, in an environment of their own: PettingZoo's last with gin rummy is not the one we support.
build/peers/ready: pyproject.toml constraints.txt bench/peers/requirements.txt
	@echo "brelan: installing the engines to be compared with into build/peers (once)"
	@$(PYTHON) -m venv build/peers
	@build/peers/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@build/peers/bin/python -m pip install --quiet --disable-pip-version-check --requirement bench/peers/requirements.txt
	@touch $@

bench-peers: build/peers/ready ## measure how fast other engines are beside ours, in one run by turns (docs/peers.md)
	@build/peers/bin/python -m bench.peers speed

bench-page: .venv/ready ## measure how heavy and how quick the page of a table is, on this device and on one four times slower
	@$(BIN)/python -m bench.page

access: .venv/ready ## look at every state of every page with axe-core, by day and by night, on phone and desktop (a quarter of an hour)
	@$(BIN)/python -m tests.access

.venv/site: .venv/installed
	@echo "brelan: installing what builds the site of the documentation (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	@touch $@

docs: .venv/site ## build the documentation as a site, in build/docs/site
	@$(BIN)/python -m docs.site.gather
	@cd build/docs && ../../$(BIN)/zensical build --strict
	@echo "brelan: $(PYTHON) -m http.server -d build/docs/site shows it, with its search"

new-game: .venv/ready ## begin a game: make new-game NAME=kuhn
	@$(BIN)/python -m tests.new_game "$(NAME)"

.PHONY: help serve test fuzz chaos leaks nightly check fix golden gallery bench bench-server bench-peers bench-page access docs new-game
