# `make run` and `make test` set up all they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test prove bench clean

run: $(VENV)/.base
	$(BIN)/touchmove play

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -m "not prove" -n 2 --benchmark-disable

prove: $(VENV)/.test
	$(BIN)/pytest -m prove -rs --benchmark-disable

bench: $(VENV)/.test
	$(BIN)/pytest tests/bench --benchmark-only -s

$(VENV)/.base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(VENV)/.base
	$(BIN)/pip install --quiet --group test --group oracle
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
