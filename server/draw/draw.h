/* Who meets whom in a round of a Swiss tournament (docs/tournaments.md, "The draw"). Pure: the same entrants
 * and the same key give the same tables, on any machine. */
#ifndef RUMMYD_SERVER_DRAW_DRAW_H
#define RUMMYD_SERVER_DRAW_DRAW_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SRV_DRAW_MAX = 10000,       /* entrants */
    SRV_DRAW_SEATS_MAX = 6,     /* of a table */
    SRV_DRAW_SCORE_MAX = 40000, /* differences of all pairs are less than a repeat; 30 rounds bring 3,600 */
    SRV_DRAW_LOOKS = 20000000,  /* of the search for tables of three and more */
    SRV_DRAW_SWAPS_MAX = 2000,  /* that repair what the search did not find */
    SRV_DRAW_PIECE = 256,       /* tables of two: a long order is cut into pieces, of so many at least */
    SRV_DRAW_PIECE_MAX = 768,   /* and at most */
    SRV_DRAW_BYES_MAX = 64      /* entrants who are tried as the one without an opponent */
};

/* Entrants in the order of the draw, by which all others of this struct count them. */
struct srv_draw {
    int n, seats;
    uint8_t key[32];
    int32_t *entry; /* numbers of the entries */
    int32_t *score; /* the same or less than that of the one before */
    int32_t *byes;
    int32_t *low; /* who comes first for a bye: permutation of 0 to n - 1, the lowest ranked first */
    /* Whom each has met at a table, once for each time: met[met_at[i]] to met[met_at[i + 1] - 1], ascending.
     */
    int32_t *met_at, *met;
};

struct srv_drawn {
    int32_t *order;  /* n entries, table by table, seat by seat; the larger tables first */
    int64_t repeats; /* how often those at the same table have met before, of all pairs at tables */
    bool least;      /* no draw has fewer: proved */
};

/* Fills *drawn; order has n places. false: out of memory. */
bool srv_draw_make(const struct srv_draw *draw, struct srv_drawn *drawn);

/* ---- For the other files of this folder ---------------------------------------------------- */
/* The first n of `who` (places in the order, ascending, n even) become pairs, in the order of their first
 * ones. */
bool srv_draw_pairs(const struct srv_draw *draw, const int32_t *who, int n, int32_t *pairs, int64_t *repeats);
/* Tables of three and more, for all entrants: places in the order. */
bool srv_draw_tables(const struct srv_draw *draw, struct srv_drawn *drawn);

#endif
