# Two commands do everything on a machine with Python 3.11 or later, make and, if there is one, a C compiler:
#   make run    build the C engine and hold it to the contract
#   make test   every test, with lint, format and types

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CC ?= cc
ENGINE := reference/c/build/coli_engine

.PHONY: run test lint vectors bench clean

run: $(VENV)/.installed
	@if command -v $(CC) >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory -s -C reference/c CC=$(CC) && $(BIN)/coli-conformance run -- ./$(ENGINE); \
	else \
		echo "No C compiler ($(CC)) here: running the Python engine in place of the C one."; \
		$(BIN)/coli-conformance run --engine python:coli_reference.engine:ReferenceEngine; \
	fi

test: lint
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

vectors: $(VENV)/.installed
	$(BIN)/coli-conformance vectors generate

bench: $(VENV)/.installed
	$(MAKE) --no-print-directory -s -C reference/c CC=$(CC)
	$(BIN)/python benchmarks/run_slope.py
	$(BIN)/python benchmarks/reusable_rate.py
	$(BIN)/python benchmarks/fuzz_rate.py
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/check_speed.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	$(MAKE) -C reference/c clean
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis
