# Every target sets up what it needs, in .venv, and does nothing twice: a stamp there remembers
# what is installed, and is older than a requirements file that has changed since.

PYTHON ?= python3
BIN := .venv/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
# The files of requirements have digests, and pip may take nothing without one.
PINNED := $(PIP) --require-hashes --no-compile
# Made by all cores, where pip would use one; SciPy waits, for the demo does without it.
BYTE_CODE := $(PY) -m compileall -q -j 0

# The tree may be called with another environment active; only ours counts. And byte code is kept,
# whatever the caller's Python does: hundreds of processes are started, each would compile it anew.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/$(BIN):$(PATH)

# Environment and build hold absolute paths; in a tree that was moved they are made anew.
HERE := $(shell printf '%s' "$(CURDIR)" | cksum | cut -d ' ' -f 1)
VENV := .venv/made-for-$(HERE)
INSTALLED := .venv/thresher-installed

# Compiles what was edited, once, before several processes import it at the same time.
BUILD := $(PY) -c "import thresher.kernels"
# The time that files in a wheel bear: that of the last commit, so that two builds are the same bytes.
EPOCH := $(or $(shell git log -1 --format=%ct 2>/dev/null),1763424000)
PYTEST := $(PY) -m pytest -q --numprocesses=auto --maxprocesses=4 --dist=loadgroup --no-loadscope-reorder

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-long test-browser lint check format check-bounds wheel coverage
.PHONY: bench build clean serve-demo docs check-docs pin sdist check-reproducible sbom

help:  ## this list
	@awk -F ':.*## *' '/^[a-z-]+:.*##/ { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(INSTALLED)  ## the learners on a stream of mushrooms, and a report
	@mkdir -p build
	@$(PY) -m thresher.demo --report build/demo-report.html

serve-demo: $(INSTALLED)  ## the service learns mushrooms, is killed, and has lost nothing
	@$(BUILD)
	@$(PY) -m scripts.serve_demo

test: $(INSTALLED) .venv/has-test  ## the tests, examples in the documentation included
	@$(BUILD)
	@echo "Left out: tests in a browser (make test-browser), and those that take long (make test-long)."
	$(PYTEST) $(if $(TESTS),,-m "not long") $(TESTS)

test-long: $(INSTALLED) .venv/has-test  ## attacks, kills, exports, sweeps, other people's checks
	@$(BUILD)
	$(PYTEST) -m long tests

test-browser: $(INSTALLED) .venv/has-test .venv/has-browser .venv/has-docs  ## the lab's page, rebuilt, and in a browser
	@$(BUILD)
	@scripts/have_browser
	$(PY) -m pytest -q browser_tests

lint: $(INSTALLED) .venv/has-test .venv/has-check  ## style, types, layers, spelling
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(BIN)/cython-lint src
	$(PY) -m mypy src tests browser_tests scripts $(wildcard benchmarks)
	MESONPY_EDITABLE_SKIP="$(CURDIR)/build/editable" PYTHONPATH=src $(BIN)/lint-imports --no-logo
	$(BIN)/codespell

check: lint test-long test  ## everything a change must pass: lint, then all tests but those in a browser

format: .venv/has-check  ## lay the code out as `make check` wants it
	$(PY) -m ruff check --fix-only --quiet
	$(PY) -m ruff format

check-bounds: $(INSTALLED) .venv/has-test  ## the tests of the kernels, compiled with bounds checks
	rm -rf build/checked-site
	$(PIP) --no-build-isolation --no-deps --target build/checked-site \
	  --config-settings=build-dir=build/checked --config-settings=setup-args=-Dchecked=true \
	  --config-settings=setup-args=-Doptimization=1 .
	MESONPY_EDITABLE_SKIP="$(CURDIR)/build/editable" PYTHONPATH="$(CURDIR)/build/checked-site" \
	  $(PY) scripts/expect_bounds_checks.py
	MESONPY_EDITABLE_SKIP="$(CURDIR)/build/editable" PYTHONPATH="$(CURDIR)/build/checked-site" \
	  $(PYTEST) -m "not long" tests/kernels tests/learners tests/streams

wheel: $(INSTALLED)  ## a wheel in dist/, and what a user gets of it: a fresh environment, and the demo there
	rm -rf build/fresh dist
	SOURCE_DATE_EPOCH=$(EPOCH) $(PY) -m pip --disable-pip-version-check wheel --quiet \
	  --no-build-isolation --no-deps --config-settings=build-dir=build/editable --wheel-dir dist .
	$(PY) scripts/check_wheel.py dist/*.whl
	$(PY) -m venv build/fresh
	build/fresh/bin/python -m pip --disable-pip-version-check install --quiet dist/*.whl
	cd build/fresh && bin/python -m thresher.demo && bin/thresher --version

sdist: $(INSTALLED)  ## the source of the last commit, as an archive in dist/
	mkdir -p dist
	rm -f dist/*.tar.gz
	SOURCE_DATE_EPOCH=$(EPOCH) $(PY) -c "import mesonpy; mesonpy.build_sdist('dist')" > build/sdist.log

check-reproducible: wheel sdist  ## the archive, unpacked elsewhere and built offline, gives the same wheel
	SOURCE_DATE_EPOCH=$(EPOCH) $(PY) scripts/check_reproducible.py dist/*.tar.gz dist/*.whl

sbom: wheel  ## what an installed thresher consists of, as CycloneDX, in dist/
	$(PY) scripts/write_sbom.py build/fresh dist/*.whl > dist/thresher.cdx.json

docs: $(INSTALLED) .venv/has-docs  ## the site of the documentation, in build/site
	@$(BUILD)
	$(PY) -m scripts.write_site build/site-source
	$(PY) -m sphinx --quiet --fail-on-warning --keep-going --jobs auto \
	  --doctree-dir build/site-memory build/site-source build/site
	@echo "Open build/site/index.html"

check-docs: docs .venv/has-check  ## the built site: links, ways to each page, search, spelling, nothing from outside
	$(PY) -m scripts.check_site build/site

coverage: $(INSTALLED) .venv/has-test .venv/has-check  ## lines and branches of Python no test reaches
	$(PY) -m coverage run -m pytest -q
	$(PY) -m coverage report

bench: $(INSTALLED) .venv/has-bench  ## speed, next to scikit-learn and River
	$(PY) -m benchmarks.speed

build: $(INSTALLED)  ## an up-to-date package in .venv, for an editor or a shell
	@$(BUILD)

pin: $(INSTALLED)  ## digests of the pinned versions, after one was changed in requirements/
	$(PY) scripts/pin_requirements.py requirements/*.txt

clean:  ## remove everything that make made
	rm -rf .venv build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	rm -f .coverage
	find src tests benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# What `make test` runs: all but what takes long, or what is named as in make test TESTS=tests/kernels
TESTS ?=

# ---- set-up -------------------------------------------------------------------------------------

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "thresher needs Python 3.11 or newer; '$(PYTHON)' is" \
	    "$$($(PYTHON) --version 2>/dev/null || echo 'not there'). Try: make PYTHON=python3.11 ..." >&2; exit 1; }
	@echo "Setting up .venv, once: packages are fetched and kernels compiled. It takes about a minute."
	rm -rf .venv build
	$(PYTHON) -m venv .venv
	@touch $@

.venv/has-%: requirements/%.txt $(VENV)
	$(PINNED) -r $<
	@$(BYTE_CODE) -x '/(pip|tests?)/' .venv/lib || true
	@touch $@

# What it takes to run and to build in one go: each start of pip takes a second.
.venv/has-run-and-build: requirements/run.txt requirements/lab.txt requirements/serve.txt \
    requirements/build.txt $(VENV)
	$(PINNED) -r requirements/run.txt -r requirements/lab.txt -r requirements/serve.txt \
	  -r requirements/build.txt
	@$(BYTE_CODE) -x '/(scipy|pip|tests?)/' .venv/lib || true
	@touch $@

$(INSTALLED): pyproject.toml .venv/has-run-and-build
	$(PIP) --no-build-isolation --no-deps --config-settings=build-dir=build/editable --editable .
	@touch $@
