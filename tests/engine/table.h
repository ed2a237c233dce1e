/* A table for rule tests: any position in a few strings, moves in the notation of records, cards without
 * their copy number where it does not matter ("TH" is the one in the mover's hand). */
#ifndef RUMMYD_TESTS_ENGINE_TABLE_H
#define RUMMYD_TESTS_ENGINE_TABLE_H

#include "engine/core/game.h"
#include "engine/eng.h"

struct position {
    int players;                     /* 0: four */
    const char *hands[ENG_SEAT_MAX]; /* NULL: some cards that are not used elsewhere */
    const char *melds[ENG_MELD_MAX]; /* "1 KH KS X": owner, cards; the owner has opened */
    const char *opened;              /* additional seats that have opened: "0 2" */
    const char *discard, *stock;     /* bottom to top; the first is drawn first */
    int turns[ENG_SEAT_MAX];         /* completed turns; all 0 means one each */
    bool round_1;                    /* no seat has completed a turn */
    int to_move;
    bool play; /* the mover has already drawn */
    bool rest_to_discard;
    const struct eng_params *params; /* NULL: rummy51 */
    /* The declare family: hands of 13 cards, 14 for a mover who has drawn; NULL: any cards. */
    const char *wild;                                /* NULL: TC */
    bool open_lies;                                  /* the lowest discard opened the pile */
    const char *picked, *wrong, *done, *left, *away; /* seats: "0 2" */
    int lost[ENG_SEAT_MAX], missed[ENG_SEAT_MAX], out_at[ENG_SEAT_MAX], hand_no;
    bool shown; /* a declaration was valid; `declarer` made it, others may have groups too */
    int declarer;
    const char *groups[ENG_SEAT_MAX]; /* "5H 6H 7H | 9C 9D 9S" */
    const int *totals;                /* of the session so far; NULL: initial values */
};

struct table {
    struct eng_game g;
    struct eng_outcome out; /* of the last move */
};

void table_place(struct table *t, const struct position *p);
#define PLACE(t, ...) table_place((t), &(struct position){__VA_ARGS__})

/* "stock, meld 6S 7S 8S, throw 2C", "declare 5H 6H 7H | … finish KD", "group 5H 6H 7H | … done @2": moves of
 * the seat to move, each legal. */
void table_do(struct table *t, const char *moves);
/* A single move that must be refused with this code and change nothing. */
void table_refuse(struct table *t, const char *move, enum eng_refusal code);
/* Applies one move and returns the result. */
enum eng_refusal table_try(struct table *t, const char *move);
/* The offending cards of the last refusal, "TH1 TH2". */
const char *table_blamed(const struct table *t);
/* The last outcome's event of that type, NULL if there is none. */
const struct eng_event *table_event(const struct table *t, enum eng_event_type type);
/* A hand, a pile, a meld as text. */
const char *table_hand(const struct table *t, int seat);
const char *table_discard(const struct table *t);
const char *table_meld(const struct table *t, int id);

#endif
