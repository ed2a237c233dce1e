/* The game as one flat struct: eng_apply changes it, eng_hash hashes it, and eng_view shows a part of it.
 * Only files in engine/ access its members; other code copies it by assignment and uses the functions of
 * engine/eng.h. */
#ifndef RUMMYD_ENGINE_CORE_GAME_H
#define RUMMYD_ENGINE_CORE_GAME_H

#include <assert.h>

#include "engine/core/cards.h"
#include "engine/core/grouping.h"
#include "engine/core/meld.h"
#include "engine/core/params.h"
#include "engine/eng.h"

/* Sizes of the fields without padding. */
enum {
    ENG_GAME_OFTEN_BYTES = sizeof(uint64_t) + sizeof(struct eng_cards) * ENG_SEAT_MAX + 2 * sizeof(uint32_t) +
                           sizeof(uint16_t) * (ENG_SEAT_MAX + 1) + 10 + ENG_SEAT_MAX + 6 + 2 * ENG_JOKER_MAX +
                           4 + 8 + 2 * ENG_CARD_MAX,
    ENG_GAME_OFTEN_FILLER = 8 - ENG_GAME_OFTEN_BYTES % 8,
    ENG_GAME_RARE_BYTES = ENG_KEY_BYTES + 2 * sizeof(int32_t) * ENG_SEAT_MAX + sizeof(struct eng_params) +
                          sizeof(struct eng_meld) * ENG_MELD_MAX +
                          ENG_SEAT_MAX * (4 + sizeof(struct eng_grouping)),
    ENG_GAME_RARE_FILLER = 8 - ENG_GAME_RARE_BYTES % 8,
};

/* Unused elements are zero, so that equal games have equal bytes.
 *
 * Fields that change in nearly every move come first and take a quarter of the space. The rest, from `key`
 * on, changes only with melds, groupings, and scores; its hash is cached, so that a draw touches only the
 * first part. */
struct eng_game {
    uint64_t rare_hash; /* hash of everything from `key` on; see eng_hash_rare */
    struct eng_cards hand[ENG_SEAT_MAX];
    uint32_t stream_used;         /* words consumed from this hand's random stream */
    uint32_t v;                   /* number of events */
    uint16_t turns[ENG_SEAT_MAX]; /* completed turns per seat in this hand */
    uint16_t staged_sum;          /* worth of the mover's staged melds */
    uint8_t players;
    uint8_t phase; /* enum eng_phase */
    uint8_t to_move;
    uint8_t starter;
    uint8_t hand_no;            /* 0 before the first deal */
    uint8_t winner;             /* winner of the hand once it is over, or ENG_NO_SEAT */
    uint8_t ending;             /* enum eng_ending; 0 while the hand is in play */
    uint8_t opened, away, left; /* one bit per seat */
    uint8_t timeouts[ENG_SEAT_MAX];
    /* The current turn. */
    uint8_t drew;         /* 0: not yet, or nothing to draw; otherwise 1 + enum eng_pile */
    uint8_t drawn;        /* the card, ENG_NO_CARD if drew is 0 */
    uint8_t must_open;    /* the mover took the discard and must open */
    uint8_t stock_only;   /* the mover put a discard back */
    uint8_t opening_turn; /* the mover opened in this turn */
    uint8_t turn_melds;   /* melds in this turn, including those taken back; at most ENG_TURN_MOVES_MAX */
    /* The origin of each joker that the mover freed in this turn and still holds. */
    uint8_t freed_meld[ENG_JOKER_MAX]; /* ENG_NO_MELD: not freed */
    uint8_t freed_by[ENG_JOKER_MAX];   /* the card that replaced it */
    uint8_t flips;                     /* how often the pile was turned over to renew the stock */
    uint8_t stock_n, discard_n;
    uint8_t melds_top; /* melds[] from here on are empty; there may be gaps before (n == 0) */
    /* The declare family; zeros in the meld family. */
    uint8_t wild_card;             /* turned up and out of play, or ENG_NO_CARD */
    uint8_t open_card;             /* first card of the discard pile while it is there, or ENG_NO_CARD */
    uint8_t declarer;              /* seat with a valid declaration, or ENG_NO_SEAT */
    uint8_t sat_out;               /* one bit per seat: not dealt in */
    uint8_t dropped, wrong;        /* out of this hand: by dropping or leaving; by a wrong declaration */
    uint8_t picked;                /* has drawn in this hand */
    uint8_t grouped;               /* has submitted a final grouping */
    uint8_t stock[ENG_CARD_MAX];   /* the last one is on top */
    uint8_t discard[ENG_CARD_MAX]; /* the last one is on top */
    uint8_t often_filler[ENG_GAME_OFTEN_FILLER];

    uint8_t key[ENG_KEY_BYTES];   /* key of this hand's random stream */
    int32_t points[ENG_SEAT_MAX]; /* totals of the session */
    int32_t bonus[ENG_SEAT_MAX];  /* the part of each total that was won; the rest is penalty */
    struct eng_params params;
    struct eng_meld melds[ENG_MELD_MAX];
    uint8_t place[ENG_SEAT_MAX];
    /* The declare family. */
    uint8_t lost[ENG_SEAT_MAX];   /* points of a drop or a wrong declaration */
    uint8_t out_at[ENG_SEAT_MAX]; /* the hand in which the seat was eliminated; 0: still in */
    uint8_t saves[ENG_SEAT_MAX];  /* groupings saved after the declaration */
    /* Declarations, groupings saved after a declaration, and scored hands; n == 0: none. */
    struct eng_grouping grouping[ENG_SEAT_MAX];
    uint8_t rare_filler[ENG_GAME_RARE_FILLER];
};

static_assert(sizeof(struct eng_game) <= 2048, "a game is copied by value");
static_assert(offsetof(struct eng_game, key) == ENG_GAME_OFTEN_BYTES + ENG_GAME_OFTEN_FILLER &&
                  sizeof(struct eng_game) - offsetof(struct eng_game, key) ==
                      ENG_GAME_RARE_BYTES + ENG_GAME_RARE_FILLER,
              "no padding: every byte is hashed");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hashes are compared between machines");

/* The correct value of rare_hash. Code that changes anything from `key` on must update rare_hash. */
uint64_t eng_hash_rare(const struct eng_game *game);

/* The discard taken in this turn, or ENG_NO_CARD. */
uint8_t eng_taken_discard(const struct eng_game *game);
/* Whether the mover has staged melds. */
bool eng_has_staged(const struct eng_game *game);

static inline bool eng_seat_bit(unsigned mask, uint8_t seat)
{
    return (mask >> seat & 1) != 0;
}

#endif
