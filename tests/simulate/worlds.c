/* build/simulate: runs the program in a simulated world, one process per seed, and checks its invariants
 * after each step. docs/simulation.md.
 *
 *   simulate [--first N] [--seeds N] [--plant NAME] [--jobs N]   many worlds; failures are shrunk and shown
 *            [--done FILE --revision NAME]   skips what that revision has run, and adds what it runs now
 *   simulate --seed N [--faults MASK] [--plant NAME]             one of them, with its trace
 *   simulate --plants                                            the defects that can be planted
 *
 * Exit 0: all held; 1: an invariant was violated; 2: wrong arguments. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/log.h"
#include "tests/simulate/check.h"
#include "tests/simulate/done.h"
#include "tests/simulate/people.h"
#include "tests/simulate/store.h"

enum { PROCESSOR_S_MAX = 30, REAL_S_MAX = 3600, JOBS_MAX = 16, FAILED_TOLD_MAX = 10, BLOCK_SEEDS = 200 };
#define HEAL_US (300 * SIM_S)
#define END_US (HEAL_US + 3600 * SIM_S)

struct asked {
    uint64_t first, seeds, seed, faults;
    int jobs;
    bool one, plants;
    const char *done, *revision; /* if NULL, nothing is recorded */
};

/* The result of a world. */
struct outcome {
    uint64_t seed, steps, moves;
    int64_t us;
    bool held;
};

/* ---- One world ---- */
static void run_until(int64_t until_us, bool to_the_end)
{
    while (sim_step(until_us, sim_as))
        if (to_the_end && people_tables_left() == 0)
            return;
}

static void run_world(uint64_t seed, uint64_t faults, struct outcome *outcome)
{
    sim_begin(seed);
    struct sim_dice dice = sim_dice_of(seed, 5);
    store_up = true;
    store_watch(&check_store);
    sim_nodes_begin((int)sim_between(&dice, 1, SIM_NODES_MAX));
    people_begin((int)sim_between(&dice, 1, 6), sim_between(&dice, 1, 120) * SIM_S);
    (void)sim_faults_plan(seed, false);
    sim_faults_begin(faults);
    run_until(HEAL_US, false);
    sim_trace("-- all is well from now on");
    sim_faults_heal();
    people_heal();
    run_until(END_US, true);
    if (people_tables_left() > 0)
        sim_broken("every game ends", "%d of %zu do not", people_tables_left(), store_tables_n);
    *outcome = (struct outcome){
        .seed = seed, .steps = sim_steps, .moves = people_moves(), .us = sim_now, .held = true};
}

/* Runs a world in a separate process, because an assertion of the program ends it, and the memory of a
 * killed node is never freed. out receives the outcome; loud: prints the violated invariant. */
static pid_t fork_world(uint64_t seed, uint64_t faults, int out, bool loud)
{
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    /* Limits processor time, because on a busy machine a world may take any amount of wall time. */
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){PROCESSOR_S_MAX, PROCESSOR_S_MAX});
    (void)alarm(REAL_S_MAX);
    int null = open("/dev/null", O_WRONLY);
    if (!loud && null >= 0)
        (void)dup2(null, STDERR_FILENO);
    struct outcome outcome = {.seed = seed};
    run_world(seed, faults, &outcome);
    if (out >= 0)
        (void)!write(out, &outcome, sizeof(outcome));
    (void)fflush(stdout);
    _Exit(0);
}

static bool holds(uint64_t seed, uint64_t faults, bool loud)
{
    int status = 0;
    pid_t pid = fork_world(seed, faults, -1, loud);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- A failure ---- */
static uint64_t all_faults(uint64_t seed)
{
    int n = sim_faults_plan(seed, false);
    return n == 64 ? ~0ULL : (1ULL << n) - 1;
}

/* Removes faults that are not needed for the failure. */
static uint64_t shrink(uint64_t seed)
{
    uint64_t mask = all_faults(seed);
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (int i = 0; i < SIM_FAULTS_MAX; i++) {
            uint64_t without = mask & ~(1ULL << i);
            if (without == mask || holds(seed, without, false))
                continue;
            mask = without;
            smaller = true;
        }
    }
    return mask;
}

static void print_failure(uint64_t seed)
{
    uint64_t mask = shrink(seed);
    (void)all_faults(seed);
    printf("seed %" PRIu64 " fails; what it takes of its faults:\n", seed);
    sim_faults_print(mask);
    printf("again, with its trace: simulate --seed %" PRIu64 " --faults %#" PRIx64 "%s%s\n", seed, mask,
           sim_planted ? " --plant " : "", sim_planted ? sim_plant_name(sim_planted) : "");
    (void)fflush(stdout);
    (void)holds(seed, mask, true);
}

/* ---- Many worlds ---- */
struct sum {
    uint64_t held, failed, first_failed, steps, moves;
    int64_t us;
};

/* Runs the seeds of one job: every jobs-th one. */
static void run_some(const struct asked *asked, uint64_t from, uint64_t end, int out)
{
    for (uint64_t seed = from; seed < end; seed += (uint64_t)asked->jobs) {
        int status = 0;
        pid_t pid = fork_world(seed, ~0ULL, out, false);
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            _Exit(1);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        struct outcome failed = {.seed = seed};
        (void)!write(out, &failed, sizeof(failed));
        if (sim_planted)
            _Exit(0);
    }
    _Exit(0);
}

static void count(struct sum *sum, const struct outcome *outcome)
{
    sum->held += outcome->held;
    sum->failed += !outcome->held;
    sum->steps += outcome->steps;
    sum->moves += outcome->moves;
    sum->us += outcome->us;
    if (outcome->held)
        return;
    if (sum->failed <= FAILED_TOLD_MAX)
        printf("seed %" PRIu64 " fails\n", outcome->seed);
    if (outcome->seed < sum->first_failed)
        sum->first_failed = outcome->seed;
}

static void run_block(const struct asked *asked, uint64_t first, uint64_t n, struct sum *sum)
{
    struct outcome outcome;
    int ends[2];
    (void)fflush(stdout);
    if (pipe(ends) != 0)
        exit(1);
    for (int job = 0; job < asked->jobs; job++)
        if (fork() == 0)
            run_some(asked, first + (uint64_t)job, first + n, ends[1]);
    (void)close(ends[1]);
    while (read(ends[0], &outcome, sizeof(outcome)) == (ssize_t)sizeof(outcome))
        count(sum, &outcome);
    (void)close(ends[0]);
    while (wait(NULL) > 0)
        continue;
}

_Noreturn static void give_up(const char *of, const char *why)
{
    (void)fprintf(stderr, "simulate: %s %s\n", of, why);
    exit(1);
}

/* Runs the remaining seeds, block by block. */
static struct sum run_all(const struct asked *asked)
{
    struct sum sum = {.first_failed = UINT64_MAX};
    struct done before = {0};
    uint64_t first = asked->first, end = first + asked->seeds;
    if (asked->done)
        first = done_until(asked->done, asked->revision, first, &before);
    if (asked->done && before.held + before.failed > 0)
        printf("before: %" PRIu64 " worlds held, %" PRIu64 " failed\n", before.held, before.failed);
    while (first < end && !(sim_planted && sum.failed > 0)) {
        uint64_t n = end - first < BLOCK_SEEDS ? end - first : BLOCK_SEEDS;
        struct done range = {.first = first, .last = first + n - 1};
        struct sum was = sum;
        run_block(asked, first, n, &sum);
        range.held = sum.held - was.held;
        range.failed = sum.failed - was.failed;
        first += n;
        if (!sim_planted && range.held + range.failed != n)
            give_up("worlds", "could not be run");
        if (asked->done && !done_add(asked->done, asked->revision, &range))
            give_up(asked->done, "cannot be written");
    }
    return sum;
}

static int run_many(const struct asked *asked)
{
    struct timespec began, ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &began);
    struct sum sum = run_all(asked);
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    double s = (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9;
    printf("%" PRIu64 " worlds held, %" PRIu64 " failed; %.0f s of theirs in %.1f s (%.0f times), %" PRIu64
           " steps, %" PRIu64 " moves of people\n",
           sum.held, sum.failed, (double)sum.us / (double)SIM_S, s, (double)sum.us / (double)SIM_S / s,
           sum.steps, sum.moves);
    if (sum.failed > 0)
        print_failure(sum.first_failed);
    return sum.failed > 0 ? 1 : 0;
}

/* ---- Arguments ---- */
static bool plant(const char *name)
{
    for (int i = 0; i < SIM_PLANTS_N; i++)
        if (strcmp(sim_plant_name((enum sim_plant)i), name) == 0) {
            sim_planted = (enum sim_plant)i;
            return true;
        }
    return false;
}

static bool read_args(struct asked *asked, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plants") == 0) {
            asked->plants = true;
            continue;
        }
        if (i + 1 == argc)
            return false;
        const char *name = argv[i], *text = argv[++i];
        uint64_t number = strtoull(text, NULL, 0);
        if (strcmp(name, "--seeds") == 0)
            asked->seeds = number;
        else if (strcmp(name, "--first") == 0)
            asked->first = number;
        else if (strcmp(name, "--jobs") == 0 && number >= 1 && number <= JOBS_MAX)
            asked->jobs = (int)number;
        else if (strcmp(name, "--faults") == 0)
            asked->faults = number;
        else if (strcmp(name, "--done") == 0)
            asked->done = text;
        else if (strcmp(name, "--revision") == 0 && strlen(text) <= DONE_REVISION_MAX)
            asked->revision = text;
        else if (strcmp(name, "--plant") == 0 && plant(text))
            continue;
        else if (strcmp(name, "--seed") == 0) {
            asked->seed = number;
            asked->one = true;
        } else
            return false;
    }
    return !asked->done == !asked->revision && !(asked->done && sim_planted);
}

int main(int argc, char **argv)
{
    struct asked asked = {.first = 1, .seeds = 200, .jobs = 1, .faults = ~0ULL};
    if (!read_args(&asked, argc, argv)) {
        (void)fprintf(stderr,
                      "usage: simulate [--first N] [--seeds N] [--jobs N] [--done FILE --revision NAME] "
                      "[--plant NAME] | --seed N [--faults MASK] [--plant NAME] | --plants\n");
        return 2;
    }
    for (int i = 1; asked.plants && i < SIM_PLANTS_N; i++)
        printf("%-20s %s\n", sim_plant_name((enum sim_plant)i), sim_plant_text((enum sim_plant)i));
    if (asked.plants)
        return 0;
    if (sodium_init() < 0)
        return 1;
    log_level_set(LOG_ERROR);
    if (!asked.one)
        return run_many(&asked);
    sim_tracing = true;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* an assertion ends the process without a flush */
    log_level_set(LOG_DEBUG);
    return holds(asked.seed, asked.faults, true) ? 0 : 1;
}
