/* Evaluates every sensible choice of one decision against all others, in the same imagined deals. No choice
 * is abandoned early, so the standard errors of differences are valid. For puzzles (docs/puzzles.md); a bot
 * at a table has no time for it. Numbers are whole, so equal views and dice give equal results on every
 * machine. Any thread; the memory is the caller's. */
#ifndef RUMMYD_ENGINE_BOTS_EVALUATE_H
#define RUMMYD_ENGINE_BOTS_EVALUATE_H

#include "engine/bots/master.h"

enum {
    EVALUATE_CHOICES_MAX = ENG_HAND_MAX,
    EVALUATE_NAME_MAX = 8,       /* bytes of a choice's name, including the NUL */
    EVALUATE_DEALS_MAX = 100000, /* above that, sums of squares could overflow */
    EVALUATE_ERRORS = 3,         /* standard errors by which the best choice must lead */
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
    int n; /* choices, in a neutral order: by card, or as above */
    struct eng_move moves[EVALUATE_CHOICES_MAX];
    char names[EVALUATE_CHOICES_MAX][EVALUATE_NAME_MAX]; /* "5D", "stock", "wait" */
    /* Over all deals so far: worth of each choice, and products of each two. */
    uint32_t deals;
    int64_t sum[EVALUATE_CHOICES_MAX], product[EVALUATE_CHOICES_MAX][EVALUATE_CHOICES_MAX];
};

/* Lists the choices of the viewer, who is to move, and resets all deals. false: there is no choice, or none
 * of these themes. */
bool eng_evaluate_begin(struct eng_evaluation *evaluation, const struct eng_view *view);
/* Plays every choice on in this many more deals. */
void eng_evaluate_deals(struct eng_evaluation *evaluation, const struct eng_view *view, uint32_t deals,
                        uint64_t *rng);
/* Resets the deals, for an independent sample. */
void eng_evaluate_reset(struct eng_evaluation *evaluation);

/* Choices by mean worth, the best first. */
void eng_evaluate_order(const struct eng_evaluation *evaluation, int order[EVALUATE_CHOICES_MAX]);
/* Mean worth of a choice, in millionths of MASTER_WORTH_MAX. */
int64_t eng_evaluate_worth(const struct eng_evaluation *evaluation, int choice);
/* Standard error of the mean difference of two choices, in the same unit; 0 for the same choice. */
int64_t eng_evaluate_error(const struct eng_evaluation *evaluation, int a, int b);
/* Whether the first choice of an order beats each other one by more than this many standard errors. */
bool eng_evaluate_decides(const struct eng_evaluation *evaluation, const int *order, int errors);
/* The choice that a move corresponds to; -1: none. */
int eng_evaluate_find(const struct eng_evaluation *evaluation, const struct eng_move *move);

#endif
