/* Weighs every sensible choice of one decision against all others, in the same imagined deals. No choice is
 * abandoned early, so the standard errors of differences are valid. For puzzles (docs/puzzles.md); a bot
 * at a table has no time for it. Numbers are whole, so equal views and dice give equal results on every
 * machine. Any thread; the memory is the caller's. */
#ifndef RUMMYD_ENGINE_BOTS_WEIGH_H
#define RUMMYD_ENGINE_BOTS_WEIGH_H

#include "engine/bots/master.h"

enum {
    WEIGH_CHOICES_MAX = ENG_HAND_MAX,
    WEIGH_NAME_MAX = 8,       /* bytes of a choice's name, including the NUL */
    WEIGH_DEALS_MAX = 100000, /* above that, sums of squares could overflow */
    WEIGH_ERRORS = 3,         /* standard errors by which the best choice must lead */
};

enum eng_weigh_theme {
    WEIGH_DISCARD = 1, /* which natural card to discard */
    WEIGH_DRAW,        /* from which pile to draw, or drop */
    WEIGH_OPEN,        /* open now, or wait */
    WEIGH_DECLARE,     /* declare now, or play on */
    WEIGH_THEMES_N
};
/* "discard", "draw", "open", "declare". */
const char *eng_weigh_theme_name(enum eng_weigh_theme theme);

struct eng_weigh {
    struct eng_master master;
    enum eng_weigh_theme theme;
    int n; /* choices, in a neutral order: by card, or as above */
    struct eng_move moves[WEIGH_CHOICES_MAX];
    char names[WEIGH_CHOICES_MAX][WEIGH_NAME_MAX]; /* "5D", "stock", "wait" */
    /* Over all deals so far: worth of each choice, and products of each two. */
    uint32_t deals;
    int64_t sum[WEIGH_CHOICES_MAX], product[WEIGH_CHOICES_MAX][WEIGH_CHOICES_MAX];
};

/* Lists the choices of the viewer, who is to move, and resets all deals. false: there is no choice, or none
 * of these themes. */
bool eng_weigh_ask(struct eng_weigh *weigh, const struct eng_view *view);
/* Plays every choice on in this many more deals. */
void eng_weigh_deals(struct eng_weigh *weigh, const struct eng_view *view, uint32_t deals, uint64_t *rng);
/* Resets the deals, for an independent sample. */
void eng_weigh_again(struct eng_weigh *weigh);

/* Choices by mean worth, the best first. */
void eng_weigh_order(const struct eng_weigh *weigh, int order[WEIGH_CHOICES_MAX]);
/* Mean worth of a choice, in millionths of MASTER_WORTH_MAX. */
int64_t eng_weigh_worth(const struct eng_weigh *weigh, int choice);
/* Standard error of the mean difference of two choices, in the same unit; 0 for the same choice. */
int64_t eng_weigh_error(const struct eng_weigh *weigh, int a, int b);
/* Whether the first choice of an order beats each other one by more than this many standard errors. */
bool eng_weigh_decides(const struct eng_weigh *weigh, const int *order, int errors);
/* The choice that a move corresponds to; -1: none. */
int eng_weigh_find(const struct eng_weigh *weigh, const struct eng_move *move);

#endif
