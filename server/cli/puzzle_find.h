/* Finds puzzles in recorded hands: turns in which one choice is better than all others (docs/puzzles.md).
 * Used by `rummyd puzzles`. No I/O; one thread. */
#ifndef RUMMYD_SERVER_CLI_PUZZLE_FIND_H
#define RUMMYD_SERVER_CLI_PUZZLE_FIND_H

#include "base/buf.h"
#include "engine/bots/evaluate.h"
#include "engine/puzzle/imagined.h"
#include "server/cli/record_file.h"

enum {
    PUZZLE_GLANCE_DEALS = 32,     /* first sample; it rules out most decisions as too close */
    PUZZLE_SCREEN_DEALS = 128,    /* sample that finds a candidate */
    PUZZLE_CONFIRM_DEALS = 640,   /* independent sample that confirms it */
    PUZZLE_CHECK_TIMES = 10,      /* a check multiplies the number of deals by this */
    PUZZLE_MOMENTS_MAX = 60,      /* positions evaluated per game */
    PUZZLE_PER_GAME = 2,          /* puzzles per game; a quick bot solves at most one of them */
    PUZZLE_GAIN_MIN = 20000,      /* in millionths: minimum lead */
    PUZZLE_TRIVIAL_GAIN = 120000, /* lead that is too obvious if a quick bot finds the choice */
    PUZZLE_CLOSE_GAIN = 60000,    /* maximum lead of a pile decision in variants with declarations */
    PUZZLE_LINE_MAX = 32 * 1024,  /* bytes per puzzle as JSON */
};

struct srv_puzzle_search {
    struct eng_imagined at;
    struct eng_evaluation evaluation;
    struct eng_view view;
    /* Counters. */
    uint64_t moments, screened, trivial, unconfirmed, found;
};

/* A puzzle: one line of the data set, and the position it comes from. */
struct srv_puzzle {
    char line[PUZZLE_LINE_MAX];
    bool trap; /* a quick bot gets it wrong */
    enum eng_evaluate_theme theme;
};

/* Searches the hands of one game in an order that follows from the seed. Returns the number of puzzles found,
 * at most PUZZLE_PER_GAME. */
int srv_puzzle_find(struct srv_puzzle_search *search, const struct srv_record_book *game, uint64_t seed,
                    struct srv_puzzle found[PUZZLE_PER_GAME]);

enum srv_puzzle_verdict { PUZZLE_HOLDS, PUZZLE_DISPUTED, PUZZLE_UNREADABLE };
/* Evaluates a position again over this many deals from a separate random stream, and returns whether the
 * answer still leads all others by three standard errors. */
enum srv_puzzle_verdict srv_puzzle_check(struct srv_puzzle_search *search, const char *position,
                                         const char *answer, uint32_t deals, uint64_t seed);

#endif
