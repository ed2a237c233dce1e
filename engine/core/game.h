/* The game as one flat struct: what eng_apply changes, eng_hash hashes and eng_view shows a part
 * of. Only files of engine/ look inside; everybody else copies it by assignment and calls engine/eng.h. */
#ifndef RUMMYD_ENGINE_CORE_GAME_H
#define RUMMYD_ENGINE_CORE_GAME_H

#include <assert.h>

#include "engine/core/cards.h"
#include "engine/core/grouping.h"
#include "engine/core/meld.h"
#include "engine/core/params.h"
#include "engine/eng.h"

/* The fields' bytes without the filler at the end. */
enum {
    ENG_GAME_BYTES = sizeof(struct eng_cards) * ENG_SEAT_MAX + ENG_KEY_BYTES + 2 * sizeof(uint32_t) +
                     2 * sizeof(int32_t) * ENG_SEAT_MAX + sizeof(struct eng_params) +
                     sizeof(uint16_t) * (ENG_SEAT_MAX + 1) + 10 + 2 * ENG_SEAT_MAX + 6 + 2 * ENG_JOKER_MAX +
                     4 + 2 * ENG_CARD_MAX + sizeof(struct eng_meld) * ENG_MELD_MAX + 8 +
                     ENG_SEAT_MAX * (3 + sizeof(struct eng_grouping)),
    ENG_GAME_FILLER = 8 - ENG_GAME_BYTES % 8,
};

/* Unused places hold zeros, so that equal games are equal bytes. */
struct eng_game {
    struct eng_cards hand[ENG_SEAT_MAX];
    uint8_t key[ENG_KEY_BYTES];   /* of this hand's random stream */
    uint32_t stream_used;         /* words taken from it so far */
    uint32_t v;                   /* events so far */
    int32_t points[ENG_SEAT_MAX]; /* totals of the session */
    int32_t bonus[ENG_SEAT_MAX];  /* what of them was won; the rest is penalty */
    struct eng_params params;
    uint16_t turns[ENG_SEAT_MAX]; /* completed turns of each seat in this hand */
    uint16_t staged_sum;          /* worth of the mover's staged melds */
    uint8_t players;
    uint8_t phase; /* enum eng_phase */
    uint8_t to_move;
    uint8_t starter;
    uint8_t hand_no;            /* 0 before the first deal */
    uint8_t winner;             /* of the hand once it is over, or ENG_NO_SEAT */
    uint8_t ending;             /* enum eng_ending, 0 while it is played */
    uint8_t opened, away, left; /* bit for each seat */
    uint8_t timeouts[ENG_SEAT_MAX];
    uint8_t place[ENG_SEAT_MAX];
    /* The turn in progress. */
    uint8_t drew;         /* 0: not yet, or nothing to draw; else 1 + enum eng_pile */
    uint8_t drawn;        /* the card, ENG_NO_CARD when drew is 0 */
    uint8_t must_open;    /* took the discard and is obliged to open */
    uint8_t stock_only;   /* put a discard back */
    uint8_t opening_turn; /* opened in this turn */
    uint8_t turn_melds;   /* melds of this turn, taken-back ones too: ENG_TURN_MOVES_MAX */
    /* For each joker the mover freed in this turn and still holds: where it came from. */
    uint8_t freed_meld[ENG_JOKER_MAX]; /* ENG_NO_MELD: not freed */
    uint8_t freed_by[ENG_JOKER_MAX];   /* the card that went in */
    uint8_t flips;                     /* times the stock was renewed by turning the pile over */
    uint8_t stock_n, discard_n;
    uint8_t melds_top;             /* melds[] above are empty; below may be holes (n == 0) */
    uint8_t stock[ENG_CARD_MAX];   /* the last one is on top */
    uint8_t discard[ENG_CARD_MAX]; /* the last one is on top */
    struct eng_meld melds[ENG_MELD_MAX];
    /* The declare family; zeros in the other one. */
    uint8_t wild_card;            /* turned up and out of play, or ENG_NO_CARD */
    uint8_t open_card;            /* opened the discard pile and lies there since, or ENG_NO_CARD */
    uint8_t declarer;             /* whose declaration was valid, or ENG_NO_SEAT */
    uint8_t sat_out;              /* bit for each seat: not dealt in */
    uint8_t dropped, wrong;       /* out of this hand: by a drop or leaving, by a wrong declaration */
    uint8_t picked;               /* drew a card in this hand */
    uint8_t grouped;              /* has grouped for good */
    uint8_t lost[ENG_SEAT_MAX];   /* points of a drop or a wrong declaration */
    uint8_t out_at[ENG_SEAT_MAX]; /* the hand in which it went out of the session, 0: it is in */
    uint8_t saves[ENG_SEAT_MAX];  /* groupings saved after the declaration */
    /* Declarations, groupings saved after one, and what was scored; n == 0: none. */
    struct eng_grouping grouping[ENG_SEAT_MAX];
    uint8_t filler[ENG_GAME_FILLER];
};

static_assert(sizeof(struct eng_game) <= 2048, "a game is copied by value");
static_assert(sizeof(struct eng_game) == ENG_GAME_BYTES + ENG_GAME_FILLER,
              "no padding: every byte is hashed");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hashes are compared between machines");

static inline bool eng_seat_bit(unsigned mask, uint8_t seat)
{
    return (mask >> seat & 1) != 0;
}

#endif
