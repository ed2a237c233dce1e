/* The words of the record format, shared by its printer and its parser (docs/records.md). */
#ifndef RUMMYD_ENGINE_RECORD_TEXT_H
#define RUMMYD_ENGINE_RECORD_TEXT_H

#include "engine/record.h"

#define ENG_RECORD_FORMAT "1"

/* In the order in which they are printed. Per seat: one for each, "Name0", "Name1" … */
enum record_header {
    HEAD_FORMAT,
    HEAD_VARIANT,
    HEAD_PARAMS,
    HEAD_TABLE,
    HEAD_HAND,
    HEAD_PLAYERS,
    HEAD_START,
    HEAD_END,
    HEAD_NAME, /* per seat */
    HEAD_KIND, /* per seat */
    HEAD_COMMIT,
    HEAD_SERVER_SEED,
    HEAD_CLIENT_SEED, /* per seat */
    HEAD_TOTALS,
    HEAD_BONUS,
    HEAD_SETUP,
    HEAD_STARTER,
    HEAD_CARDS, /* per seat */
    HEAD_TURNS,
    HEAD_TO_MOVE,
    HEAD_PHASE,
    HEAD_OPENED,
    HEAD_MELD, /* any number */
    HEAD_DISCARD,
    HEAD_STOCK,
    HEAD_REST,
    HEAD_FLIPS,
    HEAD_COUNT,
};
struct record_head {
    const char *name;
    bool per_seat;
    bool repeats;
};
extern const struct record_head record_heads[HEAD_COUNT];

/* By enum eng_move_type, eng_bot_level, eng_ending; flags by bit. NULL where there is none. */
extern const char *const record_actions[ENG_MOVE_TYPE_END];
extern const char *const record_kinds[ENG_BOT_STRONG + 1];
extern const char *const record_endings[ENG_ENDED_STALLED + 1];
enum { RECORD_FLAGS = 4 };
extern const char *const record_flags[RECORD_FLAGS];

/* A turn's line ends with this move. */
static inline bool record_ends_turn(const struct eng_move *move)
{
    return move->type == ENG_DISCARD || move->type == ENG_TIME_OUT;
}
/* Such a move may be another seat's than the turn's, and names its seat. */
static inline bool record_names_seat(const struct eng_move *move)
{
    return move->type == ENG_LEAVE || move->type == ENG_RETURN;
}

#endif
