/* What makes a decision difficult, for drills (docs/puzzles.md). No tag reveals the right choice. Any
 * thread. */
#ifndef RUMMYD_ENGINE_PUZZLE_TAGS_H
#define RUMMYD_ENGINE_PUZZLE_TAGS_H

#include "engine/bots/evaluate.h"

enum eng_puzzle_tag {
    PUZZLE_TRAP,         /* a quick strong bot chooses wrongly */
    PUZZLE_HIGH_CARDS,   /* either the best or the tempting discard counts ten points or more, but not both */
    PUZZLE_FEEDING,      /* the tempting discard fits the table, the best one does not */
    PUZZLE_LATE_OPENING, /* the choice to open or wait, in the seat's sixth turn or later */
    PUZZLE_FIRST_TURN,   /* the seat's first turn in the hand */
    PUZZLE_ENDGAME,      /* an opponent holds three cards or fewer */
    PUZZLE_JOKER,        /* the seat holds a joker, printed or wild */
    PUZZLE_TAGS_N
};
const char *eng_puzzle_tag_name(enum eng_puzzle_tag tag);

/* The tags as a bit mask. best: the right choice; tempting: the choice that a player is most likely to make
 * instead. */
unsigned eng_puzzle_tags(const struct eng_evaluation *evaluation, const struct eng_view *view, int best,
                         int tempting, bool trap);

#endif
