# Two commands for a newcomer: `make demo` and `make test`. Each makes .venv itself if needed; so does `make test-slow`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
comma := ,

.PHONY: demo test test-slow test-lowest test-consumers check docs browser bench constraints dist clean

demo: $(VENV)/installed
	$(BIN)/counterbench demo --out demo
	@echo 'the command is $(BIN)/counterbench; after  source $(BIN)/activate  just counterbench'

# What people wait for: the checks beside the tests. What the checks say is shown at the end, and only if one fails.
# One thread in each process: the tests run in as many processes as there are cores.
test: $(VENV)/installed-dev
	@mkdir -p build
	@$(MAKE) --no-print-directory check > build/check.log 2>&1 & checks=$$!; trap 'kill $$checks' INT TERM; \
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal; tests=$$?; \
	wait $$checks && echo 'make check: holds' || { checks=$$?; cat build/check.log; exit $$checks; }; exit $$tests

# The rest: whole commands, killed processes, local models, a browser; and the properties, with all their examples.
# Installs the extra `heavy` first.
test-slow: $(VENV)/installed-heavy browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "slow or hypothesis" -n auto --dist worksteal

# The oldest versions that pyproject.toml allows, in an environment of its own: gigabytes, as torch comes with them.
LOWEST := build/lowest
test-lowest:
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --compile-bytecode --resolution lowest-direct \
		--editable '.[dev$(comma)local$(comma)t2i]'
	OMP_NUM_THREADS=1 $(LOWEST)/bin/python -m pytest -m "not slow" -n auto --dist worksteal
	OMP_NUM_THREADS=1 $(LOWEST)/bin/python -m pytest -m slow tests/judges/local tests/pictures/generators

# Other people's programs on what is exported to them, each in an environment of its own; at most half an hour.
test-consumers: $(VENV)/bin/python
	$(BIN)/python tests/consumers/run.py $(CONSUMERS)

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/draw_architecture.py --check

# What the workflow's action installs, each with its hashes, anew (needs uv).
constraints:
	echo 'hatchling>=1.27' | UV_CUSTOM_COMPILE_COMMAND='make constraints' uv pip compile pyproject.toml - --extra report \
		--universal --python-version 3.11 --generate-hashes --no-annotate --quiet --output-file action-constraints.txt

# What a release uploads, checked: dist/.
dist:
	$(PYTHON) -m venv --clear build/dist
	build/dist/bin/python -m pip install --quiet build twine check-wheel-contents 'validate-pyproject[all]'
	build/dist/bin/validate-pyproject pyproject.toml
	rm -rf dist && build/dist/bin/python -m build
	build/dist/bin/twine check --strict dist/*
	build/dist/bin/check-wheel-contents dist/*.whl

# The documentation site, anew from the code as it is: build/docs/index.html.
docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx -W --keep-going -E -q -b html docs build/docs
	@echo 'the site is build/docs/index.html'

# A browser for the tests of the report, unless there is one; without any they are skipped.
browser: $(VENV)/installed-heavy
	tests/browser/install.sh $(BIN)/python

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/generate.py
	$(BIN)/python benchmarks/runner.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# One line that says what is done now; everything that pip said is in the log, and shown if it fails.
define install
	@echo "installing $(1) into $(VENV): $(2) (log: $(VENV)/install.log)"
	@{ $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --editable '$(1)' 2>&1 \
	|| touch $(VENV)/failed; } | tee $(VENV)/install.log \
	| if [ -t 1 ]; then awk '{ printf "\r\033[K%.78s", $$0; fflush() } END { printf "\r\033[K" }'; else cat > /dev/null; fi
	@if [ -e $(VENV)/failed ]; then rm $(VENV)/failed; cat $(VENV)/install.log; exit 1; fi
endef

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(call install,.,half a minute to a few)
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(call install,.[dev],a minute to a few)
	@touch $@ $(VENV)/installed

$(VENV)/installed-docs: pyproject.toml | $(VENV)/bin/python
	$(call install,.[docs],a minute to a few)
	@touch $@ $(VENV)/installed

$(VENV)/installed-heavy: pyproject.toml | $(VENV)/bin/python
	$(call install,.[dev$(comma)heavy$(comma)docs],several minutes and gigabytes)
	@touch $@ $(VENV)/installed $(VENV)/installed-dev $(VENV)/installed-docs

clean:
	rm -rf $(VENV) build dist .venv-consumers demo runs .mypy_cache .ruff_cache .pytest_cache
