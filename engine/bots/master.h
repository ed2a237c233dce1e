/* The strongest bot. It deals what its seat cannot see anew, again and again, plays the moves it thinks of on
 * to the end of the hand with quick bots, and takes the one that comes out best. Called by who has
 * milliseconds for a move, on any thread; the memory is the caller's. */
#ifndef RUMMYD_ENGINE_BOTS_MASTER_H
#define RUMMYD_ENGINE_BOTS_MASTER_H

#include "engine/core/game.h"
#include "engine/eng.h"

enum {
    MASTER_CHOICES_MAX = 4,  /* moves that are weighed against each other */
    MASTER_DEALS_MAX = 400,  /* deals imagined for one move, each played on by every choice */
    MASTER_ROUND = 8,        /* deals after which the worst choice is given up, until two are left */
    MASTER_STEPS_MAX = 5000, /* moves played in all of them, before it makes up its mind */
    MASTER_PLAYED_MAX = 150, /* moves of one hand that is played on; then it is broken off */
};

/* A move it weighs. Gains are against the first choice, in the same deals. */
struct eng_master_choice {
    struct eng_move move;
    int64_t gain, gain_squared;
};

struct eng_master {
    struct eng_game known, imagined, played; /* what its seat sees; with a deal of the rest; played on */
    struct eng_view view;
    struct eng_outcome outcome;
    struct eng_legal legal;
    struct eng_master_choice choices[MASTER_CHOICES_MAX];
    int choices_n, deals, steps, broken_off;
    int hidden_n;
    uint8_t hidden[ENG_CARD_MAX]; /* cards that it does not see */
};

/* ---- imagine.c ---- */

/* All that the viewer sees: known and hidden. They are to move, with nothing staged and no joker freed. */
void eng_master_look(struct eng_master *master, const struct eng_view *view);
/* Deals the hidden cards: imagined. */
void eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng);

/* ---- worth.c ---- */

enum { MASTER_WORTH_MAX = 10000 };
/* How good the end of a hand, or of a hand broken off, is for a seat: 0 to MASTER_WORTH_MAX. */
int eng_master_worth(const struct eng_game *game, uint8_t seat);

#endif
