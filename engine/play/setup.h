/* Sets up any position, for rule tests, vectors, and records that do not start with a deal. Cards that are
 * not placed explicitly go to the stock (or under the discard pile), so that every card of the pack occurs
 * exactly once. */
#ifndef RUMMYD_ENGINE_PLAY_SETUP_H
#define RUMMYD_ENGINE_PLAY_SETUP_H

#include "engine/core/game.h"

struct eng_setup_meld {
    uint8_t owner, n;
    uint8_t cards[ENG_RUN_MAX]; /* in the order laid; runs ascend */
};

/* A declaration, or a grouping saved after one; the other cards in hand are ungrouped. */
struct eng_setup_groups {
    uint8_t n, groups;
    uint8_t lens[ENG_GROUPS_MAX];
    uint8_t cards[ENG_GROUPING_CARDS];
};

struct eng_setup {
    struct eng_cards hand[ENG_SEAT_MAX];
    uint16_t turns[ENG_SEAT_MAX]; /* completed turns */
    uint8_t starter, to_move;
    uint8_t phase;        /* ENG_TO_DRAW, ENG_TO_PLAY (nothing was drawn in this turn), or ENG_TO_GROUP */
    uint8_t opened;       /* one bit per seat */
    uint8_t flips;        /* how often the stock was turned over */
    bool rest_to_discard; /* unlisted cards go under the discard pile, otherwise under the stock */
    uint8_t stock_n, discard_n, melds_n;
    uint8_t stock[ENG_CARD_MAX];               /* the first is drawn first */
    uint8_t discard[ENG_CARD_MAX];             /* bottom to top */
    struct eng_setup_meld melds[ENG_MELD_MAX]; /* with ids 0, 1, 2 … */
    uint8_t missed[ENG_SEAT_MAX];              /* consecutive timeouts */
    /* State of the session. */
    uint8_t hand_no;              /* 0: the first */
    uint8_t left, away;           /* one bit per seat; seats that left are away, too */
    uint8_t out_at[ENG_SEAT_MAX]; /* the hand in which a seat was eliminated from the session; 0: still in */
    /* The declare family. */
    bool has_wild;
    uint8_t wild;               /* turned up */
    bool open_lies;             /* the lowest discard is the one that started the pile */
    uint8_t picked;             /* one bit per seat that has drawn in this hand */
    uint8_t wrong;              /* seats out of this hand because of a wrong declaration */
    uint8_t done;               /* has submitted a final grouping */
    uint8_t lost[ENG_SEAT_MAX]; /* penalty points of seats out of this hand */
    uint8_t declarer;           /* in phase ENG_TO_GROUP; its groups are a valid declaration */
    struct eng_setup_groups groups[ENG_SEAT_MAX];
};

/* What is wrong with a position. */
struct eng_setup_fault {
    const char *text;   /* one sentence */
    const char *header; /* name of the record's header at fault; NULL: not a single header */
    uint8_t number;     /* seat or meld number of that header; otherwise ENG_NO_SEAT */
    uint8_t seat;       /* the seat concerned, or ENG_NO_SEAT */
    uint8_t card;       /* the card at fault, or ENG_NO_CARD */
};

/* Sets which seats have left, are away, or are out of the session; false: sets the fault. */
bool eng_setup_session(struct eng_game *game, const struct eng_setup *setup, struct eng_setup_fault *fault);

/* Creates the game at version 0. key: of the random stream for renewed stocks. false: the position is
 * invalid, and the game is undefined. */
bool eng_setup_place(struct eng_game *game, const struct eng_params *params, int players,
                     const uint8_t key[ENG_KEY_BYTES], const struct eng_setup *setup,
                     struct eng_setup_fault *fault);

#endif
