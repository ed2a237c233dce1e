/* Evaluates every sensible choice of one decision against all others, in the same imagined deals. No choice
 * is abandoned early, so the standard errors of differences are valid. Used for puzzles (docs/puzzles.md);
 * it is too slow for bots at tables. It uses integers only, so equal views and random seeds give equal
 * results on every machine. Any thread; the caller owns the memory. */
#ifndef RUMMYD_ENGINE_BOTS_EVALUATE_H
#define RUMMYD_ENGINE_BOTS_EVALUATE_H

#include "engine/bots/master.h"

enum {
    EVALUATE_CHOICES_MAX = ENG_HAND_MAX,
    EVALUATE_NAME_MAX = 8,       /* bytes of a choice's name, including the NUL */
    EVALUATE_DEALS_MAX = 100000, /* beyond this, sums of squares could overflow */
    EVALUATE_ERRORS = 3,         /* the best choice must lead by this many standard errors */
};

enum eng_evaluate_theme {
    EVALUATE_DISCARD = 1, /* which natural card to discard */
    EVALUATE_DRAW,        /* from which pile to draw, or drop */
    EVALUATE_OPEN,        /* open now, or wait */
    EVALUATE_DECLARE,     /* declare now, or play on */
    EVALUATE_THEMES_N
};
/* "discard", "draw", "open", "declare". */
const char *eng_evaluate_theme_name(enum eng_evaluate_theme theme);

struct eng_evaluation {
    struct eng_master master;
    enum eng_evaluate_theme theme;
    int n; /* number of choices, in a neutral order: by card, or as listed above */
    struct eng_move moves[EVALUATE_CHOICES_MAX];
    char names[EVALUATE_CHOICES_MAX][EVALUATE_NAME_MAX]; /* "5D", "stock", "wait" */
    /* Sums over all deals so far: the worth of each choice, and the products of each pair of choices. */
    uint32_t deals;
    int64_t sum[EVALUATE_CHOICES_MAX], product[EVALUATE_CHOICES_MAX][EVALUATE_CHOICES_MAX];
};

/* Lists the choices of the viewer, who is to move, and resets all deals. false: there is nothing to choose,
 * or no theme applies. */
bool eng_evaluate_begin(struct eng_evaluation *evaluation, const struct eng_view *view);
/* Plays every choice to the end of the hand in this many more deals. */
void eng_evaluate_deals(struct eng_evaluation *evaluation, const struct eng_view *view, uint32_t deals,
                        uint64_t *rng);
/* Resets the deals, for an independent sample. */
void eng_evaluate_reset(struct eng_evaluation *evaluation);

/* Orders the choices by mean worth, the best first. */
void eng_evaluate_order(const struct eng_evaluation *evaluation, int order[EVALUATE_CHOICES_MAX]);
/* Mean worth of a choice, in millionths of MASTER_WORTH_MAX. */
int64_t eng_evaluate_worth(const struct eng_evaluation *evaluation, int choice);
/* Standard error of the mean difference of two choices, in the same unit; 0 for the same choice. */
int64_t eng_evaluate_error(const struct eng_evaluation *evaluation, int a, int b);
/* Whether the first choice in this order leads every other choice by more than this many standard
 * errors. */
bool eng_evaluate_decides(const struct eng_evaluation *evaluation, const int *order, int errors);
/* Index of the choice that this move makes; -1: none. */
int eng_evaluate_find(const struct eng_evaluation *evaluation, const struct eng_move *move);

#endif
