# make            build the program (portable: runs on any x86-64 and aarch64)
# make EXE=name   the same, under that name, as OpenBench asks for it
# make native     build for this machine's processor alone
# make run        build and show what there is
# make test       check formatting and lints, run all tests
# make bench      measure the board beside other libraries, and the evaluation
# make speed      nodes per second of engines side by side: make speed ENGINES="self cmd=./old" (MORE="--together 2")
# make lint       formatting and lints only

EXE ?= marquetry
CARGO ?= cargo
# What `make speed` measures
ENGINES ?= cmd=$(abspath $(EXE))
# Where python-chess is put for the tests
CLIENTS = target/clients
NATIVE = RUSTFLAGS="-C target-cpu=native" $(CARGO)

.PHONY: all native run test lint bench speed clean

all:
	$(CARGO) build --release --target-dir target
	cp target/release/marquetry $(EXE)

native:
	$(NATIVE) build --release --target-dir target/native
	cp target/native/release/marquetry $(EXE)

run: all
	$(abspath $(EXE)) perft 5
	$(abspath $(EXE)) eval --fen "2r3k1/pp3ppp/4p3/3pP3/3P4/P1R2N2/1b3PPP/4K3 w - - 0 24"
	$(abspath $(EXE)) bench

test: lint
	$(CARGO) test --workspace
	$(CARGO) build --release --target-dir target
	test -d $(CLIENTS)/chess || python3 -m pip install --quiet --disable-pip-version-check --target $(CLIENTS) chess==1.11.2
	PROGRAM=target/release/marquetry PYTHONPATH=$(CLIENTS) python3 -B -m unittest discover --start-directory tests/clients

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
	rm -f $(EXE)
