/* The strongest bot. It repeatedly deals the cards its seat cannot see at random, plays each candidate move
 * to the end of the hand with quick bots, and chooses the one with the best outcome. Takes milliseconds per
 * move. Any thread; the caller owns the memory. */
#ifndef RUMMYD_ENGINE_BOTS_MASTER_H
#define RUMMYD_ENGINE_BOTS_MASTER_H

#include "engine/core/game.h"
#include "engine/eng.h"

enum {
    MASTER_CHOICES_MAX = 4,  /* candidate moves compared */
    MASTER_DEALS_MAX = 400,  /* deals imagined per move, each played with every candidate */
    MASTER_ROUND = 8,        /* deals after which the worst candidate is eliminated, until two are left */
    MASTER_STEPS_MAX = 5000, /* total number of moves played before it decides */
    MASTER_PLAYED_MAX = 150, /* moves in one hand before it is cut off */
};

/* A candidate move. Gains are relative to the first candidate, in the same deals. */
struct eng_master_choice {
    struct eng_move move;
    int64_t gain, gain_squared;
};

struct eng_master {
    struct eng_game known, imagined, played; /* what its seat sees; with hidden cards dealt; played on */
    struct eng_view view;
    struct eng_outcome outcome;
    struct eng_legal legal;
    struct eng_master_choice choices[MASTER_CHOICES_MAX];
    int choices_n, deals, steps, broken_off;
    int hidden_n;
    uint8_t hidden[ENG_CARD_MAX]; /* cards that its seat does not see */
};

/* ---- imagine.c ---- */

/* Sets known and hidden from the view. The viewer must be to move, with nothing staged and no joker
 * freed. */
void eng_master_set_view(struct eng_master *master, const struct eng_view *view);
/* Sets imagined by dealing the hidden cards at random. */
void eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng);

/* ---- master.c ---- */

/* Whether the viewer is playing and is not in the middle of an opening or a swap, which must be finished
 * first. */
bool eng_master_may_choose(const struct eng_view *view);
/* The viewer's possible discards, the best first. Returns how many. */
int eng_master_throws(const struct eng_view *view, uint8_t throws[ENG_HAND_MAX]);
/* Plays the imagined deal from this move to the end of the hand and returns its worth to the seat. Equal
 * random seeds give equal moves. */
int eng_master_play_on(struct eng_master *master, uint8_t seat, const struct eng_move *first, uint64_t rng);

/* ---- worth.c ---- */

enum { MASTER_WORTH_MAX = 10000 };
/* How good the end of a hand is for a seat, even if the hand was cut off: 0 to MASTER_WORTH_MAX. */
int eng_master_worth(const struct eng_game *game, uint8_t seat);

#endif
