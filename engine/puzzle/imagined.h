/* Turns a moment of a recorded hand into a set-up position. The cards that the seat to move does not see are
 * imagined (docs/puzzles.md), so the position reveals only what that seat saw. Called by `rummyd puzzles` and
 * tests. Any thread; the caller owns the memory. */
#ifndef RUMMYD_ENGINE_PUZZLE_IMAGINED_H
#define RUMMYD_ENGINE_PUZZLE_IMAGINED_H

#include "engine/bots/master.h"
#include "engine/record/record.h"

enum { IMAGINED_STEPS_MAX = 64 }; /* moves of one turn before the moment */

struct eng_imagined {
    struct eng_record position; /* its steps are those of the turn, before the moment */
    struct eng_step steps[IMAGINED_STEPS_MAX];
    struct eng_game game; /* the position after them */
    uint32_t turn;        /* of the hand, from 1: the moment's turn */
    uint32_t first_step;  /* of the hand: the first step of that turn */
    struct eng_master master;
    struct eng_view view;
};

/* Makes the position before step `at` of a valid hand. false: the seat to move does not choose there
 * (eng_master_may_choose), or a position cannot express everything it sees: a meld was taken back, a
 * declaration was wrong, a seat is away. */
bool eng_imagine_moment(struct eng_imagined *to, const struct eng_record *hand, uint32_t at, uint64_t seed);

#endif
