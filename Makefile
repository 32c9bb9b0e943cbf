# `make demo` and `make test` each do everything they need on a fresh machine with Python >= 3.11 and make.
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
# Tests start hundreds of processes: where nothing may be kept, each compiles the whole product anew.
unexport PYTHONDONTWRITEBYTECODE
# A file's tests stay together, and files in the order of tests/conftest.py: the long ones first.
PYTEST := $(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --durations=60 --durations-min=3
# What Debian calls the parts of the system that only tests and measurements want. A browser: any of these programs,
# and what the program that drives it is linked with. Chromium's shell without a window takes half the time of the
# others, but not every release has it.
FAST_BROWSER := chromium-headless-shell
BROWSER := 'chromium|chromium-headless-shell|chromium-browser|google-chrome' libatomic1
TESSERACT := tesseract-ocr tesseract-ocr-spa
POOLER := pgbouncer
PROXY := nginx
# What the invented corpus is drawn with: hands of the development part, hands of the held-out part, its type.
FONTS := fonts-dkg-handwriting fonts-breip fonts-rufscript fonts-sjfonts \
	fonts-seto fonts-kiloji fonts-yozvox-yozfont-edu fonts-tlwg-purisa-otf fonts-klee fonts-yusei-magic fonts-bwht \
	fonts-liberation fonts-dejavu-core fonts-crosextra-carlito fonts-crosextra-caladea fonts-comic-neue

# The benchmarks that are done within 20 minutes; reading and hostile files have their own targets.
BENCHES := desk research supervision library stats search office

.PHONY: help install install-dev demo test test-packages test-long audit fresh lint samples regression bench-reading bench-desk bench-research bench-supervision bench-library bench-stats bench-search bench-office bench-scale bench-ocr-settings benches fuzz test-faults test-fleet labeller certainty questions translations pictures prompts clean

help: ## Show what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: .venv/.installed ## Make .venv with the pinned packages, and nothing else

install-dev: .venv/.installed-dev

.venv/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.x"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || sh scripts/ensure_packages.sh \
		"$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
	@$(PYTHON) -m venv .venv
	@touch $@

# `flask` searches the folders above for `.env`: without one here, whoever writes there would say what runs.
.env:
	@touch $@

.venv/.installed: requirements.txt .venv/.python | .env
	@echo "Installing the pinned packages into .venv …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.installed-dev: requirements-dev.txt .venv/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

.venv/.installed-train: requirements-train.txt .venv/.installed-dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-train.txt
	@touch $@

.venv-audit/.installed: requirements-audit.txt
	@python3 -m venv .venv-audit
	@.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-audit.txt
	@touch $@

audit: .venv-audit/.installed ## Look for known holes in the pinned packages, and for dangerous calls in the code (MUST_LOOK=1: fail where it cannot)
	@.venv-audit/bin/python -m scripts.audit.both_halves $(if $(MUST_LOOK),--must-look)

demo: .venv/.installed ## Set up, read the sample entries and serve http://127.0.0.1:5000 (PORT overrides)
	@DEMO_ACCOUNTS=true exec $(BIN)/flask demo

# Both kinds of packages at a time: each waits for its own downloads.
test: .venv/.python ## Set up and run the tests, those in a real browser included
	@$(MAKE) --no-print-directory -j 2 .venv/.installed-dev test-packages
	@$(PYTEST)

test-packages:
	@sh scripts/ensure_packages.sh $(FAST_BROWSER) 2>/dev/null || true
	@sh scripts/ensure_packages.sh $(BROWSER) $(FONTS) $(TESSERACT) $(POOLER) || echo "Tests that want these will be skipped."

test-long: .venv/.installed-dev ## Try every case of the tests of which `make test` tries some
	@sh scripts/ensure_packages.sh $(FAST_BROWSER) 2>/dev/null || true
	@sh scripts/ensure_packages.sh $(BROWSER) || echo "Tests that want these will be skipped."
	@TEST_LONG=1 $(PYTEST) -m long

fresh: ## Try demo and test in a new Debian userland, as root (debootstrap; about 25 minutes)
	@$(PYTHON) lab/fresh_machine.py

lint: .venv/.installed-dev ## Check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

samples: .venv/.installed-dev ## Draw an invented corpus into build/corpus (handwriting fonts by apt)
	@sh scripts/ensure_packages.sh $(FONTS)
	@$(BIN)/python lab/make_samples.py --out build/corpus --entries 120 --seed 2026

regression: samples ## Read the corpus, with the orchestrator and without, and print the table
	@$(BIN)/python scripts/regression_check.py --pdf-dir build/corpus --labels build/corpus/labels.json \
		--output-dir build/regression --use-orchestrator both --workers 2

bench-reading: .venv/.installed-dev ## Measure reading beside its peers; writes docs/benchmarks.md (more than an hour)
	@sh scripts/ensure_packages.sh $(FONTS) $(TESSERACT)
	@$(BIN)/python lab/bench_reading.py

bench-desk: .venv/.installed-dev ## Measure the review desk: 100,000 entries waiting, keys and visits an entry (about 15 minutes)
	@sh scripts/ensure_packages.sh $(BROWSER) $(FONTS)
	@$(BIN)/python lab/bench_desk.py

baseline: .venv/.installed-dev ## Read the forty committed entries anew and keep that as what `make test` compares with
	@$(BIN)/python scripts/regression_check.py --pdf-dir samples tests/data/entries --ocr-provider rapidocr \
		--output-dir build/baseline --workers 2 --write-baseline tests/data/reading-baseline.json

bench-research: .venv/.installed-dev ## Measure the research desk over scripted sources, without a model
	@$(BIN)/python lab/bench_research.py

bench-supervision: .venv/.installed-dev ## Measure the supervision loop: 10,000 schedules of decisions and failures
	@$(BIN)/python lab/bench_supervision.py

bench-library: .venv/.installed-dev ## Measure what of planted names is left in essays, and what is wrongly taken out
	@$(BIN)/python lab/bench_library.py

bench-stats: .venv/.installed-dev ## Measure the supervisor's statistics at 1,000,000 rows of the log
	@$(BIN)/python lab/bench_stats.py

bench-search: .venv/.installed-dev ## Measure searching among 1,000,000 entries
	@$(BIN)/python lab/bench_search.py

bench-office: .venv/.installed-dev ## Measure files of 10,000 entries, and a form of the studio
	@$(BIN)/python lab/bench_office.py

bench-scale: .venv/.installed-dev ## Measure one office at 1,000,000 entries: pages, fifty reviewers, workers, memory, migrations (about an hour)
	@sh scripts/ensure_packages.sh $(FONTS)
	@$(BIN)/python lab/bench_scale.py

bench-ocr-settings: .venv/.installed-dev ## Try RapidOCR's own settings side by side
	@sh scripts/ensure_packages.sh $(FONTS)
	@$(BIN)/python lab/bench_ocr_settings.py

benches: .venv/.installed-dev ## Run each benchmark that is done within 20 minutes, one after the other (about 45 minutes)
	@missed=; for name in $(BENCHES); do $(MAKE) --no-print-directory bench-$$name || missed="$$missed $$name"; done; \
		[ -z "$$missed" ] || { echo "Did not hold:$$missed"; exit 1; }

fuzz: .venv/.installed-dev ## Read hostile and broken files as the workers do; writes docs/benchmarks.md (about 45 minutes)
	@$(BIN)/python lab/fuzz_files.py

test-faults: .venv/.installed-dev ## Kill, fill up and cut off a running installation under 200 entries (about 20 minutes; root tries more)
	@sh scripts/ensure_packages.sh $(FONTS) faketime || echo "What wants these is not tried."
	@$(BIN)/python lab/faults_run.py

test-fleet: .venv/.installed-dev ## Run deploy/compose.yaml on machines in network namespaces and break it under 200 entries (about 20 minutes; root)
	@sh scripts/ensure_packages.sh $(FONTS) $(POOLER) $(PROXY) faketime iproute2 openssl || echo "What wants these is not tried."
	@$(BIN)/python lab/fleet_run.py

labeller: .venv/.installed-train ## Train the labeller of headers without labels (about an hour)
	@$(BIN)/python lab/train_labeller.py

certainty: .venv/.installed-dev ## Fit how probably a recognised value is right, on drawn development entries (about 20 minutes)
	@sh scripts/ensure_packages.sh $(FONTS)
	@$(BIN)/python lab/fit_certainty.py

questions: .venv/.installed-train ## Train the models that read what a request asks for (a minute)
	@$(BIN)/python lab/questions/train.py

pictures: .venv/.installed-dev ## Take the pictures of docs/pages.md from a demo of its own (about 5 minutes)
	@sh scripts/ensure_packages.sh $(FAST_BROWSER) 2>/dev/null || true
	@sh scripts/ensure_packages.sh $(BROWSER)
	@$(BIN)/python lab/take_pictures.py

prompts: .venv/.installed-dev ## Write docs/prompts.md from the code and the cassettes
	@$(BIN)/python -m lab.cassettes.prompts_page

translations: .venv/.installed-dev ## Find every sentence for people; bring translations/ up to date and compile it
	@mkdir -p build
	@$(BIN)/python -m babel.messages.frontend -q extract -F babel.cfg -k mark -k _l --no-wrap --sort-output --no-location -o build/messages.pot .
	@$(BIN)/python -m babel.messages.frontend -q update -i build/messages.pot -d translations --no-wrap --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date
	@$(BIN)/python -m babel.messages.frontend -q compile -d translations

clean: ## Remove what was made, but for the data in var/
	@rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis
