# The two commands of the README are `make run` and `make test`; the rest are parts of them.

GO      ?= go
BIN     := bin
PURE    := ./cmd/dormouse ./cmd/dormouse-hook
# Packages whose statements must be covered to more than COVER percent.
COVER   := 80
COVERED := dormouse/store/ dormouse/service/distill
# All stages build alike, so that what one has built none builds again.
export GOFLAGS := $(GOFLAGS) -trimpath
FUZZ    ?= 5s
SOAK    ?= 2m
# What packaging/dist-deps installs for a release.
DIST_DEPS ?= arm64

.PHONY: run desktop docs plugins plugins-try screenshots test e2e build soak agents clients stress bench model deps fmt vet lint unit fuzz clean inspector \
  dist dist-twice e2e-deb e2e-arm64 e2e-windows

## run: start the service in the foreground, on your own sessions or, if you have none, on the demo's
run: # built and not by go run, which calls every Ctrl-C a failure
	CGO_ENABLED=0 $(GO) build -o $(BIN)/ ./cmd/dormouse
	@exec $(BIN)/dormouse up

## build: all binaries for this machine, in bin/
build:
	CGO_ENABLED=0 $(GO) build -o $(BIN)/ $(PURE) ./cmd/dormouse-bench

## desktop: install what the desktop needs to be built, build everything, and start service, tray and window
desktop: build
	@packaging/desktop-deps
	$(GO) build -ldflags '-s -w' -o $(BIN)/ ./cmd/dormouse-desktop ./cmd/dormouse-tray
	@packaging/start-desktop

## screenshots: draw every page of the window into docs/screenshots, without a display
screenshots:
	CGO_ENABLED=0 LC_ALL=en_US.UTF-8 $(GO) run ./packaging/screenshots -out docs/screenshots

## docs: write the pages of the manual that are made from the program
docs:
	CGO_ENABLED=0 $(GO) run ./cmd/dormouse docs config > docs/configuration.md.new
	mv docs/configuration.md.new docs/configuration.md

## plugins: write the plugins of the agents, from the table of hooks
plugins:
	CGO_ENABLED=0 $(GO) run ./packaging/plugins

## plugins-try: have the real agents, from npm, look at their plugins and install them, in a home folder of their own
plugins-try:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && npm install --prefix "$$dir" --no-audit --no-fund --loglevel error \
	  @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai && CGO_ENABLED=0 $(GO) run ./packaging/plugins -try "$$dir"

## test: install what the tests need, then pass them all
test: DIST = -quick
test: DIST_DEPS = test
test: export DORMOUSE_SYSROOT = none
test: deps fmt vet lint unit fuzz soak dist e2e e2e-deb
	@echo "all tests passed"

deps:
	@packaging/test-deps
	@packaging/desktop-deps test

fmt:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt-clean:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

lint:
	$(GO) tool staticcheck ./...

## unit: every test, under the race detector where anything runs at once, with coverage checked
unit:
	@mkdir -p $(BIN)
	packaging/unit > $(BIN)/unit.log 2>&1; status=$$?; cat $(BIN)/unit.log; exit $$status
	@packaging/check-coverage $(COVER) $(BIN)/unit.log $(COVERED)

## fuzz: every fuzz target for FUZZ each
fuzz:
	@packaging/fuzz-all $(FUZZ)

## dist: packages, archives and an installer of all that this machine can build, in dist/, with checksums and bills of materials
dist:
	@packaging/dist-deps $(DIST_DEPS)
	@check=$$($(GO) tool -n staticcheck) && cd packaging/dist && CGO_ENABLED=0 $(GO) vet . && CGO_ENABLED=0 $$check . && CGO_ENABLED=0 $(GO) test . && CGO_ENABLED=0 $(GO) run . $(DIST)

## e2e-deb: the Debian package of dist/ on a clean Debian: installed, used, and gone without a trace; needs root
e2e-deb:
	@packaging/dist-deps test
	@packaging/e2e-deb

## dist-twice: a release in two folders, one of them compiled anew, and every file compared; takes minutes
dist-twice:
	@packaging/dist-deps
	@packaging/dist-twice

## e2e-arm64: the Debian package for arm64 of dist/, run by qemu
e2e-arm64:
	@packaging/dist-deps arm64
	@packaging/e2e-arm64

## e2e-windows: the installer of dist/ under wine, where there is one
e2e-windows:
	@packaging/e2e-windows

## e2e: the tray and the window, each on a real desktop of its own
e2e:
	@packaging/e2e-tray
	@packaging/e2e-desktop

## soak: a busy day for SOAK: agents that write, clients that ask, sleeps and restarts; nothing may be lost or keep growing
soak:
	CGO_ENABLED=0 $(GO) run ./cmd/dormouse-bench soak --for $(SOAK)

## agents: run the real coding agents, from npm, against a scripted model, with Dormouse up, hung and absent
agents: build
	$(GO) run ./packaging/agents -dormouse $(BIN)

## clients: have the providers' own libraries, from npm, ask through the proxy
clients:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && npm install --prefix "$$dir" --no-audit --no-fund --ignore-scripts --loglevel error \
		@anthropic-ai/sdk@1.14.0 openai@6.49.0 @google/genai@2.32.0 && DORMOUSE_NPM_CLIENTS="$$dir" $(GO) test -count=1 -run LibrariesOfNpm ./service/proxy

## inspector: ask the tools with the MCP inspector's command line, from npm, over standard input and output and over HTTP
inspector: build
	$(GO) run ./packaging/inspector -dormouse $(BIN)/dormouse

## stress: the long versions of the crash and history tests, and a soak of an hour
stress:
	DORMOUSE_STRESS=1 $(GO) test -count=1 -timeout 60m ./...
	$(MAKE) soak SOAK=60m

## bench: the figures of BENCHMARKS.md that need no data from outside
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

## model: make the embedding table anew, from open text that apt, go and npm bring; takes some minutes
model:
	$(GO) run ./assets/model/train

clean:
	rm -rf $(BIN) dist
