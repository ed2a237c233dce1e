/* The draw of a Swiss tournament round (docs/tournaments.md, "The draw"). Pure: the same entrants and the
 * same key give the same tables on any machine. */
#ifndef RUMMYD_SERVER_DRAW_DRAW_H
#define RUMMYD_SERVER_DRAW_DRAW_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SRV_DRAW_MAX = 10000,   /* entrants */
    SRV_DRAW_SEATS_MAX = 6, /* per table */
    SRV_DRAW_SCORE_MAX =
        40000, /* the differences of all pairs must weigh less than one repeat; 30 rounds reach 3,600 */
    SRV_DRAW_LOOKS = 20000000, /* steps of the search for tables of three or more */
    SRV_DRAW_SWAPS_MAX = 2000, /* swaps that improve the result of the search */
    SRV_DRAW_PIECE = 256, /* tables of two: a long list is split into pieces of at least this many entrants */
    SRV_DRAW_PIECE_MAX = 768, /* tables of two: the pieces have at most this many entrants */
    SRV_DRAW_BYES_MAX = 64    /* entrants tried for the bye */
};

/* Entrants in the order of the draw; all other members of this struct use these indices. */
struct srv_draw {
    int n, seats;
    uint8_t key[32];
    int32_t *entry; /* numbers of the entries */
    int32_t *score; /* in descending order */
    int32_t *byes;
    int32_t *low; /* order of preference for a bye: permutation of 0 to n - 1, the lowest ranked first */
    /* Past opponents of entrant i, ascending, once per meeting: met[met_at[i]] to
     * met[met_at[i + 1] - 1]. */
    int32_t *met_at, *met;
};

struct srv_drawn {
    int32_t *order;  /* n entries, table by table, seat by seat; larger tables first */
    int64_t repeats; /* number of earlier meetings of all pairs at the same table */
    bool least;      /* proved: no draw has fewer repeats */
};

/* Fills *drawn; order has n elements. false: out of memory. */
bool srv_draw_make(const struct srv_draw *draw, struct srv_drawn *drawn);

/* ---- Internal to this folder ---------------------------------------------------- */
/* Pairs the first n of `who` (indices into the order, ascending, n even), sorted by the first index of each
 * pair. */
bool srv_draw_pairs(const struct srv_draw *draw, const int32_t *who, int n, int32_t *pairs, int64_t *repeats);
/* Fills tables of three or more with all entrants, as indices into the order. */
bool srv_draw_tables(const struct srv_draw *draw, struct srv_drawn *drawn);

#endif
