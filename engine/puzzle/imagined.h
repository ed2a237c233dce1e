/* Turns a moment of a recorded hand into a set-up position. The cards that the seat to move does not see are
 * imagined (docs/puzzles.md), so the position reveals only what that seat saw. Called by `rummyd puzzles` and
 * tests. Any thread; the caller owns the memory. */
#ifndef RUMMYD_ENGINE_PUZZLE_IMAGINED_H
#define RUMMYD_ENGINE_PUZZLE_IMAGINED_H

#include "engine/bots/master.h"
#include "engine/record/record.h"

enum { IMAGINED_STEPS_MAX = 64 }; /* moves in the turn before the moment */

struct eng_imagined {
    struct eng_record position; /* its steps are those of the turn up to the moment */
    struct eng_step steps[IMAGINED_STEPS_MAX];
    struct eng_game game; /* the game after these steps */
    uint32_t turn;        /* the moment's turn in the hand, from 1 */
    uint32_t first_step;  /* index in the hand of the first step of that turn */
    struct eng_master master;
    struct eng_view view;
};

/* Builds the position before step `at` of a valid hand. false: the seat to move has no choice there
 * (eng_master_may_choose), or a position cannot express everything it sees, because a meld was taken back,
 * a declaration was wrong, or a seat is away. */
bool eng_imagine_moment(struct eng_imagined *to, const struct eng_record *hand, uint32_t at, uint64_t seed);

#endif
