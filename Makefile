# unstall - survive slow and stalled LLM streams under any libcurl program
#
# `make help` lists the targets.  Override anything on the command line:
#   make CC=clang SANITIZE=address,undefined test

PREFIX  ?= /usr/local
DESTDIR ?=
B       ?= build

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
        -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
        -Wcast-align -Wcast-qual -Wwrite-strings -Wpointer-arith -Wundef \
        -Wformat=2 -Wvla -Wdouble-promotion -Wimplicit-fallthrough \
        -Wunused-macros
CFLAGS  ?= -O2 -g
ALL     := -std=c11 -fvisibility=hidden -fPIC -MMD -MP $(WARN) \
           -D_GNU_SOURCE -I.
ifdef WERROR
ALL     += -Werror
endif
# No undefined symbols and no -lcurl: every call into libcurl goes through the
# table in shim/abi.h.  (clang leaves its sanitizer runtime undefined.)
DEFS    := -Wl,-z,defs
ifdef SANITIZE
DEFS    :=
ALL     += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
           -fno-omit-frame-pointer
LDFLAGS += -fsanitize=$(SANITIZE)
endif
ifdef HOSTILE
ALL     += -DUNS_HOSTILE
endif
SO      := -shared $(DEFS) -Wl,-z,relro,-z,now -Wl,--build-id
VERSION := $(shell cat VERSION)

ifneq ($(V),1)
Q := @
endif

objs    = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))
CORE   := $(call objs,core/*.c)
SHIM   := $(call objs,shim/*.c) $(B)/shim/stubs.o $(B)/shim/entry.o
# What both libraries know of a handle.
ENGINE := $(call objs,engine/*.c shim/method.c shim/program.c)
CLI    := $(call objs,cli/*.c)
MOCK   := $(call objs,integration/mock/*.c)
# The part of core/ that is small enough to live in every process.
DETECT := $(B)/core/detect.o $(B)/core/url.o $(B)/core/dialect.o
TESTS  := $(patsubst %.c,$(B)/%,$(wildcard tests/test_*.c))
# Tests of shim/ have a libcurl to compare with; in front of it stands nobody.
BARE   := $(filter-out $(addprefix $(B)/shim/,easy.o multi.o multi_loop.o \
          entry.o),$(SHIM)) $(DETECT)
OURS   := $(patsubst shim/%.c,$(B)/tests/test_%,$(wildcard shim/*.c))
# Tests of the driver bring their own libcurl, clock and journal.
BENCH  := $(call objs,tests/fake_*.c tests/bench.c) \
          $(addprefix $(B)/shim/,options.o note.o restore.o)
# What tests share; each takes from it what it uses.
KIT    := $(call objs,$(filter-out tests/test_% tests/fake_% tests/bench.c, \
          $(wildcard tests/*.c)))
MEMORY := malloc calloc realloc free strdup strndup asprintf vasprintf \
          open_memstream fmemopen
WRAP   := clock_gettime $(MEMORY)
DRIVEN := $(filter $(B)/tests/test_driver_% $(addprefix $(B)/tests/test_, \
          source headers rival info facts ledger pushback learn limit loop plan \
          plan_facts plan_sent experiment names track tape memory_learn), \
          $(TESTS))
# Tests of what happens without memory, in the process that has the rest.
STARVED := $(filter-out $(DRIVEN),$(filter $(B)/tests/test_memory_%,$(TESTS)))
CLIENT := $(patsubst %.c,$(B)/%,$(wildcard integration/clients/*.c))
EASY   := $(call objs,integration/easy/*.c)
# Loops that applications run many transfers in.
FLEET  := $(addprefix $(B)/fleet/,own uv event torture)
SLOW   := $(B)/fleet/slow_dns.so
PROBE  := $(B)/probe/libunstall.so $(B)/probe/libunstall-engine.so
FUZZ   := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))
# SQLite static and hidden: a host's own copy must not be taken for ours.
BARELY := -l:libsqlite3.a -lcjson -lm -lpthread -ldl
LIBS   := -Wl,--exclude-libs,ALL $(BARELY)

## build: the two libraries and the program
build: $(B)/libunstall.so $(B)/libunstall-engine.so $(B)/unstall

## test: set up what is missing, then every unit and integration test
test:
	$(Q)tools/deps test
	+$(Q)tools/test

## unit: the unit tests alone
unit: $(TESTS)
	$(Q)tools/unit $(TESTS)

## demo: set up what is missing, build, show the main job on a mock provider
demo:
	$(Q)tools/deps demo
	$(Q)$(MAKE) --no-print-directory build $(B)/mock-llm
	$(Q)tools/demo

## deps: install the packages that are missing, or say which
deps:
	$(Q)tools/deps

# What the tests run.
programs: $(TESTS) $(CLIENT) $(B)/easy $(FLEET) $(SLOW) \
    $(if $(MOCK),$(B)/mock-llm) $(PROBE)

## lint: formatting, size limits, static analysis, layers, cited promises
lint:
	$(Q)tools/deps lint
	$(Q)$(MAKE) --no-print-directory build
	$(Q)tools/lint

## torture: applications that do anything, SEEDS (default 40) times, with
##   sanitizers and valgrind
torture: build programs
	+$(Q)$(MAKE) --no-print-directory B=$(B)/asan \
	    SANITIZE=address,undefined build
	$(Q)ASAN=$(B)/asan bats integration/fleet/long.bats

## fuzz: every fuzzer for FUZZ_SECONDS (default 10), beginning with the golden
##   streams and with what earlier runs have found
fuzz: $(FUZZ)
	$(Q)tools/fuzz $(FUZZ)

## model: every order of events of the race, to a fixed depth
model: $(B)/tests/test_race_model
	$(Q)$<

## proof: what is promised, tried: one table, and exit code 1 when a fault was
##   found; PROOF=long for longer, STAGES for a part of it
proof: build programs
	$(Q)tools/deps test fuzz
	+$(Q)tools/proof $(STAGES)

## cover: how much of the code all tests run, and whether that is enough;
##   tools/cover for the unit tests alone
cover:
	$(Q)tools/deps test
	$(Q)B=$(B) tools/cover all

## clients: CLIENTS (all of them) without and with the preload, as a table;
##   DEBIAN=trixie or sid: in that release, with all other tests, as root
ifdef DEBIAN
clients:
	$(Q)tools/chroot $(DEBIAN)
else
clients: build $(B)/mock-llm
	$(Q)tools/deps clients || true
	$(Q)tools/clients $(CLIENTS)
endif

## curl-suite: curl's own tests (CURL_TESTS) with and without the preload
curl-suite: build
	$(Q)tools/deps suite
	$(Q)tools/curl-suite $(CURL_TESTS)

# PLACE FROM: every file that is installed, and where from.
INSTALLED := bin/unstall:$(B)/unstall \
    lib/unstall/libunstall.so:$(B)/libunstall.so \
    lib/unstall/libunstall-engine.so:$(B)/libunstall-engine.so \
    share/man/man1/unstall.1:docs/man/unstall.1 \
    share/man/man5/unstall.conf.5:docs/man/unstall.conf.5 \
    share/man/man8/libunstall.8:docs/man/libunstall.8 \
    share/bash-completion/completions/unstall:tools/completion/unstall.bash \
    share/zsh/site-functions/_unstall:tools/completion/_unstall \
    $(foreach f,$(wildcard docs/*.md),share/doc/unstall/$(notdir $(f)):$(f))
# Those of /usr and /usr/local are the system's, but for two.
FOLDERS = $(patsubst %/,%,$(sort $(dir $(foreach f,$(INSTALLED), \
          $(firstword $(subst :, ,$(f)))))))
PLACE = $(DESTDIR)$(PREFIX)/$(firstword $(subst :, ,$(1)))
FROM  = $(lastword $(subst :, ,$(1)))
MODE  = $(if $(filter share/%,$(1)),644,755)
define newline


endef

## bench: every figure that is to be reached, as measured here; ROWS: some of
##   them (docs/performance.md)
bench: build $(B)/mock-llm
	$(Q)tools/deps bench || true
	$(Q)B=$(B) bench/run $(ROWS)

## install: into DESTDIR/PREFIX
install: build
	$(foreach f,$(INSTALLED),$(Q)install -D -m $(call MODE,$(f)) \
	    $(call FROM,$(f)) $(call PLACE,$(f))$(newline))

## uninstall: what install put there
uninstall:
	$(foreach f,$(INSTALLED),$(Q)rm -f $(call PLACE,$(f))$(newline))
	$(Q)cd $(DESTDIR)$(PREFIX)/ && rmdir $(if $(filter /usr /usr/local, \
	    $(PREFIX)),lib/unstall share/doc/unstall,-p $(FOLDERS)) \
	    2>/dev/null || true
	$(if $(DESTDIR),$(Q)find $(DESTDIR) -depth -type d -empty -delete)

## dist: a tarball that installs without a compiler; deb: a Debian package
dist: build
	+$(Q)B=$(B) tools/dist tar

deb: build
	+$(Q)B=$(B) tools/dist deb

## clean: remove build outputs
clean:
	rm -rf $(B)

## help: this list
help:
	$(Q)sed -n 's/^## //p' Makefile

# -Bsymbolic: the stubs jump to our own functions, whoever is in front of us.
# The others spare every process 14 us: two mappings, and start files that a
# library without constructors has no use for.  -ldl: before glibc 2.34.
PRELOAD := -Wl,-Bsymbolic -Wl,-z,noseparate-code -nostartfiles

$(B)/libunstall.so: $(DETECT) $(SHIM) shim/shim.map
	@echo "  LD      $@"
	$(Q)$(CC) $(SO) $(PRELOAD) $(LDFLAGS) \
	    -Wl,--version-script=shim/shim.map -o $@ $(SHIM) $(DETECT) \
	    -Wl,--as-needed -ldl

$(B)/libunstall-engine.so: $(CORE) $(ENGINE) engine/engine.map
	@echo "  LD      $@"
	$(Q)$(CC) $(SO) $(LDFLAGS) -Wl,--version-script=engine/engine.map -o $@ \
	    $(ENGINE) $(CORE) $(LIBS)

$(B)/unstall: $(CLI) $(B)/libuns.a
	@echo "  LD      $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/mock-llm: $(MOCK)
	@echo "  LD      $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

$(B)/libuns.a: $(CORE) $(ENGINE) $(filter-out $(B)/cli/main.o,$(CLI))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL) $(CFLAGS) $(PLAIN) -c -o $@ $<

$(B)/%.o: %.S
	@echo "  AS      $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL) $(CFLAGS) -c -o $@ $<

# A sanitizer looks its own functions up through our dlsym before it works.
$(addprefix $(B)/shim/,hook.o dl.o symbol.o slot.o): ALL += -fno-sanitize=all

# A program of any C library may inherit the preload: what some distributions
# add (Ubuntu's __memcpy_chk) is not in all of them.
$(SHIM) $(DETECT): PLAIN := -U_FORTIFY_SOURCE -fno-stack-protector

$(addprefix $(B)/,cli/main.o cli/doctor_setup.o cli/export_otlp.o \
  engine/tape.o): ALL += -DUNS_VERSION='"$(VERSION)"'

$(B)/tests/kit.a: $(KIT)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/tests/test_%: tests/test_%.c $(B)/tests/kit.a $(B)/libuns.a
	@echo "  TEST    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL) $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/tests/kit.a \
	    $(B)/libuns.a -lcmocka $(LIBS)

$(OURS): $(B)/tests/test_%: tests/test_%.c $(BARE)
	@echo "  TEST    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL) $(CFLAGS) $(LDFLAGS) -o $@ $< $(BARE) -lcmocka -lcurl \
	    -lpthread -ldl

$(DRIVEN): $(B)/tests/test_%: tests/test_%.c $(BENCH) $(B)/libuns.a
	@echo "  TEST    $@"
	$(Q)$(CC) $(ALL) $(CFLAGS) $(LDFLAGS) $(WRAP:%=-Wl,--wrap=%) -o $@ $< \
	    $(BENCH) $(B)/libuns.a -lcmocka $(LIBS)

$(STARVED): $(B)/tests/test_%: tests/test_%.c $(B)/tests/kit.a \
    $(B)/tests/fake_memory.o $(B)/libuns.a
	@echo "  TEST    $@"
	$(Q)$(CC) $(ALL) $(CFLAGS) $(LDFLAGS) $(MEMORY:%=-Wl,--wrap=%) -o $@ \
	    $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

# Applications of libcurl that know nothing of us.
$(CLIENT): $(B)/%: %.c
	@echo "  CLIENT  $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL) $(CFLAGS) $(LDFLAGS) -o $@ $< -lcurl -ldl

$(B)/easy: $(EASY)
	@echo "  CLIENT  $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcurl -lpthread

$(FLEET): $(B)/fleet/%: $(B)/integration/fleet/%.o \
    $(addprefix $(B)/integration/fleet/,fleet.o fleet_call.o counts.o)
	@echo "  CLIENT  $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcurl -lpthread -ldl $(LIBS_$(@F))

$(B)/fleet/torture: $(B)/integration/fleet/torture_deeds.o

$(SLOW): $(B)/integration/fleet/slow_dns.o
	@mkdir -p $(@D)
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $< -ldl

LIBS_uv    := -luv
LIBS_event := -levent

# The preload beside an engine that only tells what it is asked.
$(B)/probe/libunstall.so: $(B)/libunstall.so
	$(Q)mkdir -p $(@D) && cp $< $@

$(B)/probe/libunstall-engine.so: $(call objs,integration/probe/*.c)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $^

# Everything once more, watched by the fuzzers' sanitizers.
WATCHED := $(patsubst %.c,$(B)/watched/%.o,$(wildcard core/*.c engine/*.c) \
           $(filter-out cli/main.c,$(wildcard cli/*.c)) shim/method.c \
           shim/program.c tests/race_watch.c)

$(B)/watched/%.o: %.c
	@mkdir -p $(@D)
	$(Q)clang -I. -D_GNU_SOURCE -DUNS_VERSION='"$(VERSION)"' -MMD -MP -g -O1 \
	    -std=c11 -fsanitize=fuzzer-no-link,address,undefined \
	    -fno-sanitize-recover=all -c -o $@ $<

$(B)/watched/all.a: $(WATCHED)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(B)/watched/all.a
	@echo "  FUZZER  $@"
	@mkdir -p $(@D)
	$(Q)clang -I. -D_GNU_SOURCE -g -O1 -std=c11 \
	    -fsanitize=fuzzer,address,undefined -o $@ $< $(B)/watched/all.a \
	    $(BARELY)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.DEFAULT_GOAL := build
.SECONDARY:
.PHONY: build test unit demo deps programs lint fuzz model proof torture \
        bench install uninstall dist deb cover clean clients curl-suite help
