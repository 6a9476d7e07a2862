# make lab       set up, then open JupyterLab on the first notebook     (PORT=8890, BROWSER=no)
# make test      set up, then run the tests: about ten minutes          (TORCH=torch==2.13.0 takes that build)
# make test-all  run every test, also the long ones: about an hour
# make check     lint, types and the tests of pure functions, for between two edits (PACKAGE=losses takes those of a package)
# make torture   send a run two thousand random sequences of commands and compare how it ends
# make bundle    build the widgets' modules in clwork/lab/modules from js/ (needs node and npm; users need neither)
# make wheel     clwork as one file in dist/, to install elsewhere
# make colab     that wheel, the notebooks without solutions and three lines of instructions: one zip in dist/ for Colab
# make site      execute the notebooks and build pages and slides from them, in dist/site/; ARGS="02 07" takes these lessons only
# make executed  execute the notebooks alone: dist/executed/ has them with pictures, as code hosts show them
# make outputs   execute the lessons and write into them the figure and the table of each that is tagged keep-output
# make bench     measure the speed against sentence-transformers on an idle machine, in at most fifteen minutes
# make gpu       run the tests for a GPU and measure steps on it, in ten minutes: one table
# make evidence  train and measure what answers the claims of the papers: many hours, resumable (DATA=FOLDER has the STS tasks)
# make recorded  train each method once and record it: the runs that ship with clwork, some minutes
# All need Python 3.11 or newer, make and a package index; everything goes into .venv/.

PYTHON ?= python3
TORCH ?= torch>=2.6
PORT ?=
BROWSER ?= yes
PACKAGE =
ARGS ?=
DATA ?=

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/clwork
# What Colab has, for the test of clwork beside it.
COLAB := ipywidgets==7.7.1 ipython_genutils==0.2.0
# Two workers on two cores; more cores take at most four, since each holds up to 2 GB.
WORKERS ?= auto
PARALLEL := --numprocesses $(WORKERS) --maxprocesses 4
RESULTS := $(VENV)/results
# Each test may take 120 seconds; one that hangs fails alone.
PYTEST = $(BIN)/python -m pytest --quiet -o timeout=$(LIMIT) --junitxml=$(RESULTS)/$@.xml
LIMIT ?= 120
UNIT = CLWORK_NO_SKIP=1 OMP_NUM_THREADS=1 $(PYTEST)
NBVAL := --nbval-lax --nbval-current-env --nbval-cell-timeout=300 --dist loadfile
# Runs notebooks in a home of its own, offline; $$away is a folder that is removed afterwards.
AWAY := away=$$(mktemp -d) && trap 'rm -rf "$$away"' EXIT &&
KERNELS = CLWORK_HOME=$$away/home CLWORK_RUNS=$$away/runs HF_HUB_OFFLINE=1 JUPYTER_PREFER_ENV_PATH=1 OMP_NUM_THREADS=1 \
 IPYTHONDIR=$$away/ipython TMPDIR=$$away $(PYTEST) -o timeout=300 $(PARALLEL) $(NBVAL)
# What lint and types read, and the tests of `make check`: pure functions, doctests and the rules of the code; or the files
# and tests of one package.
ifeq ($(PACKAGE),)
SOURCES := .
QUICK := clwork tests/augmenters tests/claims tests/data tests/losses tests/metrics tests/notebooks tests/test_*.py
else
files = $(wildcard clwork/$(1) clwork/$(1).py tests/$(1) tests/test_$(1).py)
SOURCES := $(foreach name,$(PACKAGE),$(or $(call files,$(name)),\
 $(error there is no package '$(name)': name a folder of clwork/ or tests/, as in PACKAGE=losses)))
QUICK := $(SOURCES)
endif

.PHONY: help lab test test-all check lint types js unit nightly smoke browser quick notebooks solutions sts torture bench gpu \
 wheel colab evidence recorded readme site executed outputs bundle clean FORCE
.DELETE_ON_ERROR:

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

# ---- the two commands ------------------------------------------------------------------------------------------------

lab: $(STAMPS)/lab $(STAMPS)/umap
	@case "$(BROWSER)" in yes|no) unset BROWSER;; esac; \
	 exec $(BIN)/python scripts/lab.py --browser "$(BROWSER)" --port "$(PORT)"

# Every stage runs, also after one has failed; the last line has the number of tests and the time.
test: $(STAMPS)/test
	@rm -rf $(RESULTS); began=$$(date +%s); failed=; \
	 for stage in "lint types unit" notebooks smoke; do \
	   $(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync=target $$stage || failed="$$failed $$stage"; \
	 done; \
	 $(BIN)/python scripts/summary.py $(RESULTS) $$began "make test" $$failed; [ -z "$$failed" ]

# All tests: those of `make test`, those marked nightly, the browser, solutions, notebooks with STS data.
test-all: $(STAMPS)/test
	@rm -rf $(RESULTS); began=$$(date +%s); failed=; \
	 for stage in "lint types unit" nightly "browser notebooks" solutions sts; do \
	   $(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync=target LIMIT=900 $$stage || failed="$$failed $$stage"; \
	 done; \
	 $(BIN)/python scripts/summary.py $(RESULTS) $$began "make test-all" $$failed; [ -z "$$failed" ]

# In a minute or two: what most edits break. With PACKAGE, of that package only; one that trains takes longer.
check: $(STAMPS)/test
	@$(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync=target lint types js quick

# ---- the checks, one by one ------------------------------------------------------------------------------------------

lint: $(STAMPS)/test
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/python scripts/size.py --check

types: $(STAMPS)/test
	$(BIN)/mypy $(filter-out .,$(SOURCES))

# Lint and unit tests of js/, if `make bundle` has installed its tools.
js:
	@if [ -d js/node_modules ]; then cd js && npm run --silent lint && npm run --silent test; \
	  else echo "js: not checked, because make bundle was not called here"; fi

unit: $(STAMPS)/test
	$(UNIT) $(PARALLEL) -m "not nightly and not browser and not smoke"

# Broad sweeps and slow tests.
nightly: $(STAMPS)/test
	$(UNIT) $(PARALLEL) -m "nightly and not browser"

# JupyterLab with the first notebook, five static pages, and the gradients of the page that trains, in Chromium.
smoke: $(STAMPS)/test
	$(UNIT) -m smoke tests/browser/test_smoke.py tests/browser/test_page_gradients.py

# All tests that open JupyterLab, or a page of a widget, in Chromium.
browser: $(STAMPS)/test
	$(UNIT) -m "browser or smoke" tests/browser

quick: $(STAMPS)/test
	OMP_NUM_THREADS=1 $(PYTEST) -m "not nightly and not browser and not smoke" $(QUICK)

notebooks: $(STAMPS)/test
	@$(AWAY) CLWORK_STS= $(KERNELS) notebooks/*.ipynb

solutions: $(STAMPS)/test
	@$(AWAY) CLWORK_STS= $(KERNELS) solutions

# The lessons that read STS data once more beside a small folder of it, each as far as that makes a difference.
sts: $(STAMPS)/test
	@$(AWAY) $(BIN)/python -m tests.notebooks.with_sts $$away && CLWORK_STS=$$away/tasks $(KERNELS) $$away/notebooks

# ---- upkeep ----------------------------------------------------------------------------------------------------------

torture: $(STAMPS)/test
	CLWORK_SEQUENCES=2000 $(BIN)/python -m pytest tests/training/test_any_sequence.py

wheel: $(STAMPS)/lab
	@$(BIN)/python scripts/colab.py --wheel

colab: $(STAMPS)/lab
	@$(BIN)/python scripts/colab.py

bench: $(STAMPS)/test
	$(BIN)/python benchmarks/step_time.py $(ARGS)

gpu: $(STAMPS)/test
	$(BIN)/python benchmarks/gpu.py $(ARGS)

evidence: $(STAMPS)/test
	$(BIN)/python -m scripts.evidence $(if $(DATA),--data "$(DATA)") $(ARGS)

recorded: $(STAMPS)/test
	$(BIN)/python scripts/recorded_runs.py $(ARGS)

readme: $(STAMPS)/test
	$(BIN)/python scripts/readme.py

site: $(STAMPS)/test
	$(BIN)/python -m scripts.site $(ARGS)

executed: $(STAMPS)/test
	$(BIN)/python -m scripts.site --executed $(ARGS)

outputs: $(STAMPS)/test
	$(BIN)/python -m scripts.site --keep $(ARGS)

bundle:
	cd js && npm ci --ignore-scripts && node build.mjs

clean:
	rm -rf $(VENV) dist js/node_modules

# ---- set-up: a stamp for each set of extras, remade when pyproject.toml or the torch requirement changes --------------

$(STAMPS)/lab: EXTRAS := lab,offline
$(STAMPS)/test: EXTRAS := lab,offline,strong,bench,site,test,dev
$(STAMPS)/lab $(STAMPS)/test: $(STAMPS)/torch pyproject.toml
	$(BIN)/python -m pip install --disable-pip-version-check "$$(cat $(STAMPS)/torch)" -e ".[$(EXTRAS)]"
	@touch $@ $(STAMPS)/lab
	@echo "clwork: set up in $(VENV)"

# UMAP is compiled once for all later kernels; otherwise the first press of UMAP would do so.
$(STAMPS)/umap: $(STAMPS)/lab
	@echo "clwork: UMAP is being compiled, half a minute, once"
	@$(BIN)/python -c "import numpy; from clwork.projections import aligned_umap; aligned_umap([numpy.eye(40)] * 2)"
	@touch $@

# An older ipywidgets, in a folder that only its test puts on the path; fetched once, so that later calls need no index.
$(STAMPS)/test: | $(STAMPS)/ipywidgets7
$(STAMPS)/ipywidgets7: | $(STAMPS)/venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --target $@ $(COLAB)

# Without TORCH=... a set-up environment keeps the torch it has.
$(STAMPS)/torch: FORCE | $(STAMPS)/venv
	@if [ ! -f $@ ] || { [ "$(origin TORCH)" != file ] && [ "$$(cat $@)" != "$(TORCH)" ]; }; then \
	  echo "$(TORCH)" > $@; fi

$(STAMPS)/venv:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "clwork needs Python 3.11 or newer, and there is no '$(PYTHON)' here. Name one: make PYTHON=/path/to/python" >&2; \
	  exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "clwork needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" -V). Name another: make PYTHON=python3.12" >&2; \
	  exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: its venv module is missing." >&2; \
	  echo "On Debian or Ubuntu: sudo apt install python3-venv; then call make again." >&2; \
	  exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@
