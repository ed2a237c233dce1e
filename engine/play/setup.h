/* Any position, placed by hand: for rule tests, vectors and records that do not start with a deal.
 * What is not placed explicitly lies in the stock (or under the discard pile), so that every card of
 * the pack is somewhere exactly once. */
#ifndef RUMMYD_ENGINE_PLAY_SETUP_H
#define RUMMYD_ENGINE_PLAY_SETUP_H

#include "engine/core/game.h"

struct eng_setup_meld {
    uint8_t owner, n;
    uint8_t cards[ENG_RUN_MAX]; /* as they were laid: a run ascends */
};

/* A declaration, or a grouping saved after one; the cards of the hand that are in none are the rest. */
struct eng_setup_groups {
    uint8_t n, groups;
    uint8_t lens[ENG_GROUPS_MAX];
    uint8_t cards[ENG_GROUPING_CARDS];
};

struct eng_setup {
    struct eng_cards hand[ENG_SEAT_MAX];
    uint16_t turns[ENG_SEAT_MAX]; /* completed ones */
    uint8_t starter, to_move;
    uint8_t phase;        /* ENG_TO_DRAW, ENG_TO_PLAY (nothing was drawn in this turn) or ENG_TO_GROUP */
    uint8_t opened;       /* bit for each seat */
    uint8_t flips;        /* times the stock was turned over */
    bool rest_to_discard; /* cards not named lie under the discard pile, else at the bottom of the stock */
    uint8_t stock_n, discard_n, melds_n;
    uint8_t stock[ENG_CARD_MAX];               /* the first is drawn first */
    uint8_t discard[ENG_CARD_MAX];             /* bottom to top */
    struct eng_setup_meld melds[ENG_MELD_MAX]; /* their ids are 0, 1, 2 … */
    uint8_t missed[ENG_SEAT_MAX];              /* time-outs in a row */
    /* Of the session. */
    uint8_t hand_no;              /* 0: the first */
    uint8_t left, away;           /* bit for each seat; who left is away too */
    uint8_t out_at[ENG_SEAT_MAX]; /* the hand in which a seat went out of the session, 0: it is in */
    /* The declare family. */
    bool has_wild;
    uint8_t wild;               /* turned up */
    bool open_lies;             /* the lowest discard is the one that opened the pile */
    uint8_t picked;             /* bit for each seat that has drawn in this hand */
    uint8_t wrong;              /* of those out of this hand, the ones who declared wrongly */
    uint8_t done;               /* has grouped for good */
    uint8_t lost[ENG_SEAT_MAX]; /* points of those who are out of this hand */
    uint8_t declarer;           /* in phase ENG_TO_GROUP; its groups are a valid declaration */
    struct eng_setup_groups groups[ENG_SEAT_MAX];
};

/* What is wrong with a position. */
struct eng_setup_fault {
    const char *text;   /* one sentence */
    const char *header; /* of a record, that says it; NULL: none alone */
    uint8_t number;     /* of the header, if it is one for each seat, or of the meld; else ENG_NO_SEAT */
    uint8_t seat;       /* whose it is, or ENG_NO_SEAT */
    uint8_t card;       /* to blame, or ENG_NO_CARD */
};
/* Fills it in; false. */
bool eng_setup_blame(struct eng_setup_fault *fault, const char *header, uint8_t seat, uint8_t card,
                     const char *text);

/* Seats that have no part in the hand: out of the session before it. */
uint8_t eng_setup_sat_out(const struct eng_setup *setup, int players);
/* Takes each card out of the pack's remainder; returns the first that is not of this pack or already placed,
 * ENG_NO_CARD when there is none. */
uint8_t eng_setup_claim(struct eng_cards *remainder, const uint8_t *cards, int n);
/* Who has left, is away, is out of the session; false: what is wrong. */
bool eng_setup_session(struct eng_game *game, const struct eng_setup *setup, struct eng_setup_fault *fault);
/* The part of the declare family, after the hands; false: what is wrong. */
bool eng_setup_declare(struct eng_game *game, const struct eng_setup *setup, struct eng_cards *remainder,
                       struct eng_setup_fault *fault);

/* Makes the game of it, version 0. key: of the stream for renewed stocks. false: what is wrong with the
 * position (the game is then undefined). */
bool eng_setup_place(struct eng_game *game, const struct eng_params *params, int players,
                     const uint8_t key[ENG_KEY_BYTES], const struct eng_setup *setup,
                     struct eng_setup_fault *fault);

#endif
