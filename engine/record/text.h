/* The keywords of the record format, shared by its printer and its parser (docs/records.md). */
#ifndef RUMMYD_ENGINE_RECORD_TEXT_H
#define RUMMYD_ENGINE_RECORD_TEXT_H

#include <string.h>

#include "engine/play/setup_check.h"
#include "engine/record/record.h"

#define ENG_RECORD_FORMAT "1"

/* In printing order. Headers per seat exist once for each seat: "Name0", "Name1" … */
enum eng_record_header {
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
    HEAD_OUT,
    HEAD_LEFT,
    HEAD_AWAY,
    HEAD_BETWEEN,
    HEAD_SETUP,
    HEAD_STARTER,
    HEAD_WILD,
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
    HEAD_MISSED,
    HEAD_OPEN_CARD,
    HEAD_PICKED,
    HEAD_LOST,
    HEAD_WRONG,
    HEAD_DECLARER,
    HEAD_GROUPS, /* per seat */
    HEAD_DONE,
    HEAD_COUNT,
};
struct eng_record_head {
    const char *name;
    bool per_seat;
    bool repeats;
};
extern const struct eng_record_head eng_record_heads[HEAD_COUNT];

/* Indexed by enum eng_move_type, eng_bot_level, and eng_ending; flags by bit. NULL: no keyword. */
extern const char *const eng_record_actions[ENG_MOVE_TYPE_END];
extern const char *const eng_record_kinds[ENG_BOT_LEVELS];
#define ENG_RECORD_PROGRAM "bot account"
/* The `Kind` of this seat. */
const char *eng_record_kind(const struct eng_record_seat *seat);
extern const char *const eng_record_endings[ENG_ENDINGS_N];
enum { RECORD_FLAGS = 8 };
extern const char *const eng_record_flags[RECORD_FLAGS];

/* Whether a turn's line ends with this move. Leaving ends the turn only in the declare family, where the
 * player is out of the hand; in the meld family a bot continues for them. */
static inline bool record_ends_turn(const struct eng_record *r, const struct eng_move *move)
{
    switch (move->type) {
    case ENG_DISCARD:
    case ENG_TIME_OUT:
    case ENG_DECLARE:
    case ENG_GROUP:
    case ENG_DROP:
    case ENG_REJOIN:
    case ENG_CLOSE:
        return true;
    case ENG_LEAVE:
        return r->params.family == ENG_FAMILY_DECLARE;
    default:
        return false;
    }
}
/* Whether the move names its seat, because it may belong to a seat other than the turn's. */
static inline bool record_names_seat(const struct eng_move *move)
{
    return move->type == ENG_LEAVE || move->type == ENG_RETURN;
}
/* Seats eliminated from the session before the record's hand. */
static inline uint8_t record_sat_out(const struct eng_record *r)
{
    struct eng_setup setup = {.hand_no =
                                  (uint8_t)(r->has_totals && r->hand_no <= ENG_HANDS_MAX ? r->hand_no : 0)};
    memcpy(setup.out_at, r->setup.out_at, sizeof setup.out_at);
    return eng_setup_sat_out(&setup, r->players);
}
/* Whether the move leaves open whose turn its line belongs to. */
static inline bool record_of_no_turn(const struct eng_move *move)
{
    return record_names_seat(move) || move->type == ENG_CLOSE;
}

#endif
