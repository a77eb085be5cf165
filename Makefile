# `make` alone lists what can be made.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Images of containers often switch this off; our tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BUILD  := .build
CORES  := $(shell nproc 2>/dev/null || echo 2)
# One more than cores: tests wait for the JVMs that they start.
JOBS   ?= $(shell expr $(CORES) + 1)
SIZE   ?= small
JAR    := src/jvmscope/collector/jvmscope-agent.jar
LIBRARY := src/jvmscope/collector/libjvmscope-native.so
AGENT  := collector/agent
MAVEN  := mvn --batch-mode --quiet
# Checks and formats JavaScript; one package from npm, without dependencies.
BIOME  := npx --yes @biomejs/biome@2.6.8

# Whether a jar belongs to the sources is not told by times: a pull may bring older files.
SOURCES := src/jvmscope/collector/agent_sources.py
STALE   := $(shell [ ! -e $(JAR) ] || $(PYTHON) $(SOURCES) $(JAR))

PAGE_SCRIPTS := $(wildcard $(addprefix reports/html/assets/,*.js charts/*.js))
AGENT_SOURCES := $(shell find $(AGENT) -path $(AGENT)/target -prune -o -type f -print)

.PHONY: help
help: ## Say what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: venv
venv: $(VENV)/.made ## Make .venv with an editable install and the development tools

$(VENV)/.made: pyproject.toml setup.py Makefile | python
	@echo "making $(VENV) with jvmscope and its development tools (a minute)" >&2
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

.PHONY: python
python:
	@.ci/toolchain python '$(PYTHON)'

.PHONY: java
java:
	@.ci/toolchain java

.PHONY: c
c:
	@.ci/toolchain c

.PHONY: browser
browser:
	@.ci/toolchain browser || echo "without Chromium the tests of the page are left out" >&2

.PHONY: agent
agent: $(JAR) native ## Build the Java agent, run its JUnit tests, build the library for native code

# Without a C compiler it says what will not work.
.PHONY: native
native: | java
	@$(PYTHON) src/jvmscope/collector/native_build.py collector/native $(LIBRARY)

.PHONY: stale
stale:

$(JAR): $(AGENT_SOURCES) $(STALE) | java
	@echo "building the agent and running its JUnit tests (a minute)" >&2
	rm -rf $(AGENT)/target/classes $(AGENT)/target/test-classes # of sources that were renamed
	$(MAVEN) -f $(AGENT)/pom.xml package -Dagent.sources=$$($(PYTHON) $(SOURCES))
	cp $(AGENT)/target/$(notdir $@) $@

.PHONY: lint
lint: venv $(BUILD)/java-style $(BUILD)/page.js ## Check the style of the Python, Java and JavaScript code
	@! git grep --line-number --extended-regexp '^(<<<<<<<|>>>>>>>) ' 2>/dev/null || \
	  { echo "these are marks of a merge" >&2; exit 1; }
	$(BIN)/ruff check
	$(BIN)/ruff format --check

$(BUILD)/java-style: $(AGENT_SOURCES) | java
	$(MAVEN) -f $(AGENT)/pom.xml com.spotify.fmt:fmt-maven-plugin:check
	@mkdir -p $(@D)
	touch $@

# The page has one script: only in all of it can a name be unused or unknown.
$(BUILD)/page.js: $(PAGE_SCRIPTS) biome.json
	@mkdir -p $(@D)
	@if .ci/toolchain node '$(BIOME)'; then \
	  { echo '(() => {'; cat $(PAGE_SCRIPTS); echo '})();'; } > $@ && \
	  echo '$(BIOME) check' && $(BIOME) check --error-on-warnings; fi

.PHONY: format
format: venv java ## Format the Python, Java and JavaScript code
	$(BIN)/ruff check --quiet --fix
	$(BIN)/ruff format --quiet
	$(MAVEN) -f $(AGENT)/pom.xml com.spotify.fmt:fmt-maven-plugin:format
	! .ci/toolchain node '$(BIOME)' || $(BIOME) format --write

.PHONY: types
types: venv ## Check the types
	MYPYPATH=src $(BIN)/mypy --package jvmscope --cache-dir $(BUILD)/mypy

.PHONY: check
check: lint types agent ## What must pass before a commit: style, types, javac, JUnit, unit tests
	$(BIN)/python -m pytest -q tests/unit src

.PHONY: test
test: lint c browser agent ## Everything CI runs, JOBS at a time; Java tests may not be skipped
	$(MAKE) --no-print-directory --jobs 2 types pytest

.PHONY: pytest
pytest: venv agent
	CI=true $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadscope --no-loadscope-reorder

.PHONY: test-all
test-all: ## The same, with every test program on every JDK
	JVMSCOPE_TEST_ALL=1 $(MAKE) test

.PHONY: test-long
test-long: ## The same, with whole products of cases and long fuzzing (takes hours)
	JVMSCOPE_TEST_LONG=1 $(MAKE) test

.PHONY: demo
demo: venv agent ## Record a real program, print metrics, write a small report
	$(BIN)/python -m benchmarks.demo

.PHONY: suite
suite: venv agent ## Record the suite of languages, SIZE=small, and report it, in .build/suites
	$(BIN)/python -m benchmarks.languages
	SIZE=$(SIZE) $(BIN)/jvmscope suite run suites/languages/suite.toml \
	  -o $(BUILD)/suites/languages-$(SIZE) --jobs $(CORES)
	$(BIN)/jvmscope report $(BUILD)/suites/languages-$(SIZE) html \
	  -o $(BUILD)/suites/languages-$(SIZE).html --force

.PHONY: bench
bench: venv agent ## Measure how fast jvmscope is (takes long)
	$(BIN)/python -m benchmarks overhead
	$(BIN)/python -m benchmarks ingest
	$(BIN)/python -m benchmarks.metrics

.PHONY: wheel
wheel: venv agent ## Build the wheel that users install, in dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --wheel-dir dist .
	rm -rf build
	@ls dist/*.whl

.PHONY: docs
docs: venv ## Write the generated pages of docs/ again
	$(BIN)/python docs/generate.py

.PHONY: clean
clean: ## Remove everything that make made
	rm -rf $(VENV) $(BUILD) $(JAR) $(LIBRARY) $(AGENT)/target build demo *.egg-info src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
