# make            build the program (portable: runs on any x86-64 and aarch64)
# make EXE=name   the same, under that name, as OpenBench asks for it
# make native     build for this machine's processor alone
# make pgo        build it by a profile of its own bench, 2 % faster and twice as long to build (needs llvm-profdata);
#                 make pgo FLAGS="-C target-cpu=native" for this machine's processor alone
# make run        build the page and the program, and open the studio in the browser (needs npm)
# make page       build the page alone; a program that is built afterwards has it in it
# make test       check formatting and lints, run all tests
# make bench      measure the board beside other libraries, and the evaluation
# make speed      nodes per second of engines side by side: make speed ENGINES="self cmd=./old" (MORE="--together 2")
# make lint       formatting and lints only

EXE ?= marquetry
CARGO ?= cargo
# What `make speed` measures
ENGINES ?= cmd=$(abspath $(EXE))
# Where python-chess is put for the tests; its source has endgame tables of three and four pieces
CLIENTS = target/clients
CLIENT = chess-1.11.2
TABLES = $(CLIENTS)/$(CLIENT)/data/syzygy/regular
# The program as it is built for tests, with the page in it: optimised, with every debug_assert! alive
TESTED = target/debug/marquetry
# The studio's page, and the browser that it is tested in
WEB = studio/web
PAGE = $(WEB)/dist/index.html
PAGE_SOURCES = $(wildcard $(WEB)/*.html $(WEB)/*.ts $(WEB)/*.json $(WEB)/public/* $(WEB)/src/* $(WEB)/src/*/*)
CHROMIUM ?= /usr/bin/chromium
# Where a build by profile goes, and the tool that reads profiles, which has to be of the compiler's own version
PGO = target/pgo
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA ?= $(firstword $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata) llvm-profdata-$(LLVM))
NATIVE = RUSTFLAGS="-C target-cpu=native" $(CARGO)

.PHONY: all native pgo run page test browser-test lint bench speed clean

all:
	$(CARGO) build --release --target-dir target
	cp target/release/marquetry $(EXE)

native:
	$(NATIVE) build --release --target-dir target/native
	cp target/native/release/marquetry $(EXE)

pgo:
	@$(PROFDATA) --version >/dev/null 2>&1 || { \
		echo "$(PROFDATA) is missing: rustup component add llvm-tools, or install your system's llvm-$(LLVM)"; exit 1; }
	rm -rf $(PGO)/counts
	RUSTFLAGS="$(FLAGS) -C profile-generate=$(abspath $(PGO))/counts" \
		$(CARGO) build --release --target $(HOST) --target-dir $(PGO)
	$(PGO)/$(HOST)/release/marquetry bench
	$(PROFDATA) merge --output $(PGO)/counts.profdata $(PGO)/counts
	RUSTFLAGS="$(FLAGS) -C profile-use=$(abspath $(PGO))/counts.profdata" \
		$(CARGO) build --release --target $(HOST) --target-dir $(PGO)
	cp $(PGO)/$(HOST)/release/marquetry $(EXE)

run: page
	$(MAKE) all
	$(abspath $(EXE)) studio

page: $(PAGE)

$(PAGE): $(PAGE_SOURCES)
	cd $(WEB) && npm ci --no-fund --no-audit && npm run build
	touch $(PAGE)

test: lint page $(TABLES)
	SYZYGY_PATH=$(abspath $(TABLES)) $(CARGO) test --workspace --target-dir target
	PROGRAM=$(TESTED) PYTHONPATH=$(CLIENTS)/$(CLIENT) python3 -B -m unittest discover --start-directory tests/clients
	$(MAKE) browser-test

# Expects that the other tests were built before
browser-test: $(CHROMIUM)
	PROGRAM=$(abspath $(TESTED)) CHROMIUM=$(CHROMIUM) node --test --test-concurrency=1 $(WEB)/tests/*.test.mjs

$(CHROMIUM):
	apt-get install --yes chromium || { apt-get update && apt-get install --yes chromium; }

$(TABLES):
	python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary chess --dest $(CLIENTS) $(subst -,==,$(CLIENT))
	tar -xzf $(CLIENTS)/$(CLIENT).tar.gz -C $(CLIENTS)

lint:
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

bench:
	$(NATIVE) bench --target-dir target/native -p chess
	$(NATIVE) bench --target-dir target/native -p engine

speed: all
	$(CARGO) bench --target-dir target -p lab --bench speed -- $(ENGINES) $(MORE)

clean:
	$(CARGO) clean
	rm -rf $(EXE) $(WEB)/node_modules $(WEB)/dist/*
