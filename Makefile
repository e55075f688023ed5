# Two commands for a newcomer: `make demo` and `make test`. Each makes .venv itself if needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check browser bench clean

demo: $(VENV)/installed
	$(BIN)/counterbench demo --out demo

# One thread in each process: the tests run in as many processes as there are cores.
test: $(VENV)/installed-dev check browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A browser for the tests of the report, unless there is one; without any they are skipped.
browser: $(VENV)/installed-dev
	tests/browser/install.sh $(BIN)/python

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/generate.py
	$(BIN)/python benchmarks/runner.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) demo runs .mypy_cache .ruff_cache .pytest_cache
