/* Any position, placed by hand: for rule tests, vectors and records that do not start with a deal.
 * What is not placed explicitly lies in the stock (or under the discard pile), so that every card of
 * the pack is somewhere exactly once. */
#ifndef RUMMYD_ENGINE_SETUP_H
#define RUMMYD_ENGINE_SETUP_H

#include "engine/game.h"

struct eng_setup_meld {
    uint8_t owner, n;
    uint8_t cards[ENG_RUN_MAX]; /* as they were laid: a run ascends */
};

struct eng_setup {
    struct eng_cards hand[ENG_SEAT_MAX];
    uint16_t turns[ENG_SEAT_MAX]; /* completed ones */
    uint8_t starter, to_move;
    uint8_t phase;        /* ENG_TO_DRAW or ENG_TO_PLAY (nothing was drawn in this turn) */
    uint8_t opened;       /* bit for each seat */
    uint8_t flips;        /* times the stock was turned over */
    bool rest_to_discard; /* cards not named lie under the discard pile, else at the bottom of the stock */
    uint8_t stock_n, discard_n, melds_n;
    uint8_t stock[ENG_CARD_MAX];               /* the first is drawn first */
    uint8_t discard[ENG_CARD_MAX];             /* bottom to top */
    struct eng_setup_meld melds[ENG_MELD_MAX]; /* their ids are 0, 1, 2 … */
};

/* Makes the game of it, version 0. key: of the stream for renewed stocks. Returns NULL, or what is
 * wrong with the position in words (the game is then undefined). */
const char *eng_setup_place(struct eng_game *game, const struct eng_params *params, int players,
                            const uint8_t key[ENG_KEY_BYTES], const struct eng_setup *setup);

#endif
