# rummyd: one program, layered libraries, one test runner per layer.
#
#   make            the program, $(BUILD)/rummyd
#   make install    the program, its page (built before), units, and manual, below DESTDIR and PREFIX
#   make test-unit  Criterion runners of all layers
#   make contracts  openapi.yaml and asyncapi.yaml if their parts in api/ changed (every build does this)
#   make check      format, layers, static analysis; here and with WERROR=1, compiler warnings are errors
#   make asan ubsan unit tests and black-box tests under a sanitizer, each in a separate build
#   make tsan       threads under ThreadSanitizer: small programs, then the server as a black box
#   make fuzz       libFuzzer on everything that parses untrusted input (FUZZ_S seconds each)
#   make faults     kills, a lost database, slow readers
#   make oracle     compare the solvers with brute force, on a million hands of each kind
#   make simulate   the program in SEEDS simulated worlds
#   make prove      check properties over ten million random moves of every variant and option
#   make signature  one number per variant that summarizes its rules
#   make wasm       the engine as WebAssembly, wasm/dist/engine.wasm
#   make nightly    all of these, and installation on a bare machine
#
# Objects go below BUILD, so several builds can coexist (make BUILD=/tmp/b). V=1 shows the commands.

.DEFAULT_GOAL := all

BUILD   ?= build
CC      ?= cc
CSTD    := -std=c11 -D_GNU_SOURCE
OPT     ?= -O2 -g
SAN     ?=
# Warnings are errors in `make check` and in the tests, which set WERROR=1, but not in users' builds, because newer
# compilers add warnings. Only the plain build decides: sanitizer instrumentation causes additional warnings.
WERROR  ?= $(if $(filter check,$(MAKECMDGOALS)),1)
STRICT  := $(if $(SAN),,$(filter 1,$(WERROR)))
WARN    := -Wall -Wextra -Wconversion -Wshadow $(if $(STRICT),-Werror)
DEPS    := libmicrohttpd libwebsockets libpq jansson libjwt libsodium libcurl libcrypto liboath icu-i18n libfido2 libbrotlienc zlib libnats
# Hardening for a program that reads untrusted input. Sanitizers have their own checks.
HARDEN  := $(if $(SAN),,-fstack-protector-strong -D_FORTIFY_SOURCE=2)
CFLAGS  += $(CSTD) $(WARN) $(OPT) $(SAN) $(HARDEN) -fno-strict-aliasing -I. $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(DEPS)))
LDFLAGS += $(SAN) -Wl,-z,relro,-z,now
LIBS    := $(shell pkg-config --libs $(DEPS)) -lev -lpthread -lm

# Layers from the bottom up. Each may include only those listed in scripts/check-layers.
LAYERS  := base engine wire tables db mail net pay oidc bus api server
reverse  = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
LINK    := $(call reverse,$(LAYERS))

src_of   = $(sort $(wildcard $(1)/*.c $(1)/*/*.c))
obj_of   = $(patsubst %.c,$(BUILD)/%.o,$(filter-out server/main.c,$(call src_of,$(1))))
test_obj_of = $(patsubst %.c,$(BUILD)/%.o,$(call src_of,tests/$(1)))
lib_of   = $(BUILD)/lib$(1).a
# The runner of layer L links L and the layers below it.
below_base   := base
below_engine := engine base
below_wire := wire engine base
below_tables := tables wire engine base
below_db     := db base
below_mail   := mail base
below_net    := net base
below_pay    := pay net base
below_oidc   := oidc net base
below_bus    := bus base
below_api    := api oidc pay net mail db base
below_server := $(LINK)
runners  := $(foreach l,$(LAYERS),$(if $(wildcard tests/$(l)/*.c),$(BUILD)/test-$(l)))

# $(call list,FILE,WORDS): FILE records a list of inputs and is rewritten only if the list changes. Targets that depend
# on it are rebuilt when a source is added or removed; from timestamps alone, make cannot detect a removed
# file, or an added file that is older than the target.
.PHONY: changed
define list
$(1): $(if $(subst <$(strip $(file <$(1)))>,,<$(strip $(2))>),changed)
	@mkdir -p $$(@D)
	@echo '$(strip $(2))' > $$@.part && mv $$@.part $$@
endef

# $(call embed,LAYER,NAME,FILES): embeds the files as the table NAME in that layer, see base/embed.h.
define embed
$(eval $(call list,$(BUILD)/gen/$(2).list,$(3)))
$(BUILD)/gen/$(2).c: $(3) scripts/embed $(BUILD)/gen/$(2).list
	@mkdir -p $$(@D)
	$$(Q)scripts/embed $(2) $(3) > $$@.part && mv $$@.part $$@
gen_$(1) += $(BUILD)/gen/$(2).o
endef
$(eval $(call embed,db,db_schema_sql,schema.sql))
$(eval $(call embed,db,db_grants_sql,db/grants.sql))
$(eval $(call embed,db,db_functions,$(sort $(wildcard db/functions/*/*.sql))))
$(eval $(call embed,db,db_data,$(sort $(wildcard db/data/*.sql))))
$(eval $(call embed,db,db_migrations,$(sort $(wildcard db/migrations/*.sql))))
$(foreach l,$(notdir $(wildcard mail/templates/*)),$(eval $(call embed,mail,mail_templates_$(subst -,_,$(l)),$(sort $(wildcard mail/templates/$(l)/*.txt)))))
$(eval $(call embed,api,api_common_passwords,api/data/common_passwords.txt))
$(eval $(call embed,api,api_reserved_names,api/data/reserved_names.txt))
$(eval $(call embed,server,srv_contracts,$(wildcard openapi.yaml asyncapi.yaml server/http/docs/*)))

# The contracts in the root folder are rebuilt if the contents of their parts have changed, because file
# times in a clone are in no particular order. They are committed, so only a build after an edit needs
# Python.
CONTRACTS := openapi.yaml asyncapi.yaml api/routes.def api/bodies.def api/sql.def wire/frames.def
CONTRACT_PARTS := $(filter-out $(CONTRACTS),$(sort $(wildcard $(foreach f,api/openapi api/asyncapi,$(f)/*.yaml $(f)/*/*.yaml) \
    api/*.def engine/core/*.def VERSION scripts/bundle scripts/c_tables.py scripts/python_types.py)))
$(BUILD)/contracts.sum: $(CONTRACT_PARTS)
	@mkdir -p $(@D)
	$(Q)scripts/contracts $@ $(CONTRACTS) -- $^
$(CONTRACTS): $(BUILD)/contracts.sum ;
.PHONY: contracts
contracts: $(CONTRACTS)

# The version as a constant, see server/version.h.
$(BUILD)/gen/version.c: VERSION Makefile
	@mkdir -p $(@D)
	@printf '#include "server/version.h"\n\nconst char srv_version[] = "%s";\n' "$$(cat VERSION)" > $@.part && mv $@.part $@
gen_server += $(BUILD)/gen/version.o

# Prints a short form of each command, unless V=1.
Q       := $(if $(V),,@)
told     = $(if $(V),,@echo "  $(1) $@")

.PHONY: all clean test-unit
.DELETE_ON_ERROR:
.SECONDARY:
all: $(BUILD)/rummyd

# Every output is written to a temporary file and renamed, so that a killed build leaves nothing incomplete. Compiler
# output is kept next to the object: with warnings as errors, objects that were built with warnings are rebuilt.
compile  = $(Q)$(CC) $(CFLAGS) $(if $(MAKE_TERMERR),-fdiagnostics-color) -MMD -MP -MT $@ -MF $@.d.part -c -o $@.part $< \
    2>$@.said; status=$$?; cat $@.said >&2; [ $$status = 0 ] && mv $@.d.part $@.d && mv $@.part $@ && { [ -s $@.said ] || rm $@.said; }
$(if $(STRICT),$(patsubst %.said,%,$(shell find $(BUILD) -name '*.o.said' 2>/dev/null))): changed

$(BUILD)/rummyd: $(BUILD)/server/main.o $(foreach l,$(LINK),$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call told,CC)
	$(compile)

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(compile)

define layer
$(eval $(call list,$(BUILD)/lib$(1).list,$(call obj_of,$(1)) $(gen_$(1))))
$(call lib_of,$(1)): $(call obj_of,$(1)) $(gen_$(1)) $(BUILD)/lib$(1).list
	@rm -f $$@ $$@.part
	$$(Q)ar qcs $$@.part $$(filter %.o,$$^) && mv $$@.part $$@

$(eval $(call list,$(BUILD)/test-$(1).list,$(call test_obj_of,$(1))))
$(BUILD)/test-$(1): $(call test_obj_of,$(1)) $(foreach l,$(below_$(1)),$(call lib_of,$(l))) $(BUILD)/test-$(1).list
	$$(call told,LD)
	$$(Q)$$(CC) $$(LDFLAGS) -o $$@.part $$(filter-out %.list,$$^) $$(LIBS) -lcriterion && mv $$@.part $$@
endef
$(foreach l,$(LAYERS),$(eval $(call layer,$(l))))

# Random play of all variants, for tests that check every move.
$(BUILD)/test-server $(BUILD)/test-wire: $(BUILD)/tests/engine/play.o
$(BUILD)/test-tables: $(BUILD)/tests/engine/prove.o $(BUILD)/tests/engine/prove_hidden.o $(BUILD)/tests/engine/play.o

# The load generator, one program built from many files.
tableload_parts := tableload load load_table load_sockets model scan wsc hist pace procstat grants grants_list grants_rest grants_sql
$(BUILD)/tableload: $(tableload_parts:%=$(BUILD)/bench/%.o) $(foreach l,api oidc pay net mail db engine base,$(call lib_of,$(l)))
	$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

.PHONY: tests
tests: $(runners) $(BUILD)/tableload $(BUILD)/prototype $(BUILD)/bench-luck \
       $(if $(SAN),,$(BUILD)/simulate $(BUILD)/quick-passwords.so)

# A sanitizer runtime must be loaded first, so sanitizer builds hash passwords as usual.
$(BUILD)/quick-passwords.so: tests/support/quick_passwords.c
	$(call told,CC)
	$(Q)$(CC) $(CFLAGS) -fPIC -shared $(LDFLAGS) -o $@.part $< && mv $@.part $@

test-unit: $(runners)
	@for t in $(runners); do echo "== $$t"; $$t || exit 1; done

# Compiler flags, for tools that parse the sources as the compiler does; libraries and flags that link the program.
.PHONY: print-cflags print-link print-layers print-below check
print-cflags:
	@echo $(CFLAGS)
print-link:
	@echo $(foreach l,$(LINK),lib$(l).a) $(LDFLAGS) $(LIBS)
print-layers:
	@echo $(LAYERS)
# Prints, for each layer, the libraries that its runner links.
print-below:
	@$(foreach l,$(LAYERS),echo '$(l): $(below_$(l))';)

check: all tests
	@BUILD="$(BUILD)" scripts/check

# --- instrumented test builds --- All objects must be built with the same sanitizer, so each sanitizer has
# a separate build.
BLACK_BOX := http ws db
SAN_FLAGS := -fno-omit-frame-pointer -fno-sanitize-recover=all -DRUMMYD_DEBUG
sanitized  = env -u MAKEFLAGS -u MAKELEVEL BUILD=build-$@ RUMMY_SANITIZER=$(1) OPT="-O1 -g" SAN="-fsanitize=$(1) $(SAN_FLAGS)" $(2)

.PHONY: asan ubsan tsan fuzz bench faults oracle nightly
asan: export ASAN_OPTIONS = detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
asan:
	$(call sanitized,address,scripts/test unit $(BLACK_BOX))
ubsan: export UBSAN_OPTIONS = print_stacktrace=1
ubsan:
	$(call sanitized,undefined,scripts/test unit $(BLACK_BOX))

TSAN_PROGRAMS := $(patsubst tests/tsan/%.c,build-tsan/tsan-%,$(wildcard tests/tsan/*.c))
tsan: export TSAN_OPTIONS = second_deadlock_stack=1
tsan:
	$(call sanitized,thread,$(MAKE) -j2 $(TSAN_PROGRAMS))
	@for t in $(TSAN_PROGRAMS); do ./$$t || exit 1; done
	$(call sanitized,thread,scripts/test http ws)
$(BUILD)/tsan-%: $(BUILD)/tests/tsan/%.o $(foreach l,$(LINK),$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# tests/fuzz/NAME.c has LLVMFuzzerTestOneInput; its corpus grows in var/fuzz/NAME. The rule vectors, one per file, are
# additional seeds.
FUZZ_S ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,build-fuzz/fuzz-%,$(wildcard tests/fuzz/*.c))
fuzz:
	env -u MAKEFLAGS CC=clang BUILD=build-fuzz OPT="-O1 -g" SAN="-fsanitize=fuzzer-no-link,address,undefined $(SAN_FLAGS)" \
	    $(MAKE) -j2 WARN="-Wall -Wextra" $(FUZZERS)
	@mkdir -p var/fuzz/seeds/vectors && awk '/^vector /{ n++ } n { print > ("var/fuzz/seeds/vectors/" n) }' tests/vectors/*.txt
	@for f in $(FUZZERS); do name=$${f##*/fuzz-}; mkdir -p var/fuzz/$$name; \
	    $$f -max_total_time=$(FUZZ_S) -print_final_stats=1 -artifact_prefix=var/fuzz/$$name- var/fuzz/$$name \
	        $$(ls -d tests/fuzz/seeds/$$name var/fuzz/seeds/$$name 2>/dev/null) \
	        >var/fuzz/$$name.log 2>&1 || { tail -n 40 var/fuzz/$$name.log; exit 1; }; \
	    echo "ok    $$name: $$(sed -n 's/stat::number_of_executed_units: *//p' var/fuzz/$$name.log) inputs"; done
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(foreach l,$(LINK),$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
# The same without libFuzzer, in every build: runs the seeds, and inputs that are derived from them
# deterministically.
CORPORA := $(patsubst tests/fuzz/%.c,$(BUILD)/corpus-%,$(wildcard tests/fuzz/*.c))
tests: $(CORPORA)
$(BUILD)/corpus-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/prove/corpus.o $(foreach l,$(LINK),$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@.part $(filter %.o,$^) $(filter %.a,$^) $(LIBS) && mv $@.part $@
$(BUILD)/fuzz-moves $(BUILD)/corpus-moves: $(patsubst %,$(BUILD)/tests/engine/%.o,play prove prove_hidden)
# The WebAssembly module's API without its host, which libsodium and base/ replace here.
$(BUILD)/fuzz-edge $(BUILD)/corpus-edge: $(patsubst %,$(BUILD)/wasm/%.o,edge game record solver words)
$(BUILD)/fuzz-frames $(BUILD)/corpus-frames: $(BUILD)/tests/base/jread_oracle.o

# Properties over random sessions of every variant and option, MOVES moves in two processes; the signature of the rules,
# which must not change unless a rule changes on purpose (tests/engine/signatures.def).
MOVES ?= 10000000
.PHONY: prove signature
prove: $(BUILD)/prove
	@$< moves $$(($(MOVES) / 2)) 1000000 & first=$$!; $< moves $$(($(MOVES) / 2)) 2000000 && wait $$first
signature: $(BUILD)/prove
	@$< signature
$(BUILD)/prove: $(patsubst %,$(BUILD)/tests/%.o,prove/prove engine/prove engine/prove_hidden engine/play) $(call lib_of,engine) $(call lib_of,base)
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# For browsers and Node.js. It is built only with clang, so it has its own Makefile and objects.
.PHONY: wasm
wasm:
	$(MAKE) -C wasm

# The program in a simulated world (docs/simulation.md): separate objects; tests/simulate replaces threads, clocks,
# sockets, the event loop, and PostgreSQL. Calls that must be redirected in every object are wrapped.
SIMULATED := pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock pthread_cond_wait pthread_cond_timedwait \
    pthread_cond_signal pthread_cond_broadcast sem_wait sem_clockwait sem_post nanosleep clock_gettime _exit malloc_trim \
    randombytes_buf PQcmdStatus db_answer_within db_open db_reopen db_close db_is_up db_exec db_run db_script db_handle db_error_from db_for_each_id \
    tab_join srv_lease_held srv_peers_gone eng_event_view eng_bot_seed eng_master_move srv_hub_check_outage
$(eval $(call list,$(BUILD)/simulate.list,$(call test_obj_of,simulate)))
$(BUILD)/simulate: $(call test_obj_of,simulate) $(BUILD)/bench/scan.o $(foreach l,$(LINK),$(call lib_of,$(l))) $(BUILD)/simulate.list
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) $(SIMULATED:%=-Wl,--wrap=%) -o $@.part $(filter-out %.list,$^) $(LIBS) && mv $@.part $@
SEEDS ?= 1000
FROM  ?= 1
JOBS  ?= $(shell nproc)
# DONE=FILE: keeps the progress, so that an interrupted run resumes.
.PHONY: simulate
simulate: $(BUILD)/simulate
	@$< --first $(FROM) --seeds $(SEEDS) --jobs $(JOBS) $(if $(DONE),--done $(DONE) --revision $$(git describe --always --dirty))

# Moves per second of the engine alone.
$(BUILD)/bench-engine: $(BUILD)/bench/engine.o $(patsubst %,$(BUILD)/tests/engine/%.o,play prove prove_hidden) $(call lib_of,engine) $(call lib_of,base)
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# Whole games of bots, the time per bot move, and the solver.
$(BUILD)/bench-bots: $(BUILD)/bench/bots.o $(BUILD)/bench/arrange.o $(BUILD)/server/cli/simulate.o $(foreach l,tables wire engine base,$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# Win rate of a player who sees hidden cards, which is the limit that luck sets.
SEEN := eng_master_set_view eng_master_imagine
$(BUILD)/bench-luck: $(BUILD)/bench/luck.o $(BUILD)/server/cli/simulate.o $(foreach l,tables wire engine base,$(call lib_of,$(l)))
	$(call told,LD)
	$(Q)$(CC) $(LDFLAGS) $(SEEN:%=-Wl,--wrap=%) -o $@.part $^ $(LIBS) && mv $@.part $@

# Durable moves per second of the journal statement alone.
$(BUILD)/bench-journal: $(BUILD)/bench/journal.o $(call lib_of,db) $(call lib_of,base)
	$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# GET requests per second on many connections.
$(BUILD)/restload: $(BUILD)/bench/restload.o $(BUILD)/bench/hist.o $(BUILD)/bench/pace.o $(call lib_of,base)
	$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# Idle connections.
$(BUILD)/crowd: $(BUILD)/bench/crowd.o $(call lib_of,base)
	$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# Lower bound for a durable relay of tables.
$(BUILD)/prototype: $(BUILD)/bench/prototype.o $(BUILD)/bench/scan.o $(foreach l,db engine base,$(call lib_of,$(l)))
	$(CC) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@

# The figures of docs/benchmarks.md; RUNS runs each.
RUNS ?= 3
bench:
	BUILD=$(BUILD) bench/run --runs $(RUNS)

faults: all
	BUILD=$(BUILD) scripts/test faults

# The solvers against brute force, on this many hands of each of ten kinds, in two processes. Prints one line per kind
# that matches; exits with 1 if a hand differs. ORACLE_KIND='arrange/*' runs some of them, ORACLE_SEED=1 uses other
# hands.
ORACLE_HANDS ?= 1000000
ORACLE_KIND  ?= */*oracle*
ORACLE_SEED  ?= 0
oracle: $(BUILD)/test-engine
	RUMMYD_ORACLE_HANDS=$(ORACLE_HANDS) RUMMYD_ORACLE_SEED=$(ORACLE_SEED) $(BUILD)/test-engine -j2 --filter '$(ORACLE_KIND)' --tap=$(BUILD)/oracle.tap
	@grep '^ok' $(BUILD)/oracle.tap | grep -qv '# SKIP' || { echo "oracle: no test is called '$(ORACLE_KIND)'" >&2; exit 1; }

nightly: export RUMMY_KILLS = 1000
nightly: export RUMMY_API_CASES = 10000
nightly: export RUMMY_SOCKETS = 10000
nightly: export RUMMY_BREAKERS = 1000
nightly: export RUMMY_BENCH_NODES = 4
nightly: export RUMMY_SECRET_GAMES = 300
nightly: export RUMMY_SETTLE_GAMES = 10000
nightly: export RUMMY_ROLLING_TABLES = 1000
nightly: export RUMMY_TOURNAMENT_KILLS = 200
nightly: export RUMMY_TOURNAMENT_ENTRANTS = 256
nightly: export RUMMY_CLUSTER_SEQUENCES = 200
nightly: export RUMMY_FARM_ALL = 1
nightly: export RUMMY_VOLUMES_ALL = 1
nightly: export RUMMY_CONFIGURATION_ALL = 1
nightly: export RUMMY_MASTERS_ALL = 1
nightly: export RUMMY_CORPUS_INPUTS = 50000
nightly: export ANALYZER_NODES = 225000
nightly: tests prove asan ubsan tsan fuzz faults oracle
	BUILD=$(BUILD) scripts/check tidy
	tests/simulate/check $(BUILD)/simulate 10000 $$($(BUILD)/simulate --plants | cut -d' ' -f1)
	BUILD=$(BUILD) scripts/test cluster games windows apps browsers
	BUILD=$(BUILD) scripts/test times
	RUMMY_BUILD=$(BUILD) /usr/bin/python3 -m pytest -q tests/db/test_settle_sets.py
	BUILD=$(BUILD) RUMMY_TEST_ADVERSE=1 scripts/test db
	scripts/prove-clean
	scripts/prove-image
	scripts/prove-package

PREFIX ?= /usr/local
.PHONY: install
install: all
	@BUILD="$(BUILD)" scripts/install-tree "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
