/* The keywords of the record format; see text.h. */
#include "engine/record/text.h"

#include "base/bug.h"

const struct eng_record_head eng_record_heads[HEAD_COUNT] = {
    [HEAD_FORMAT] = {.name = "Rummyd"},
    [HEAD_VARIANT] = {.name = "Variant"},
    [HEAD_PARAMS] = {.name = "Params"},
    [HEAD_TABLE] = {.name = "Table"},
    [HEAD_HAND] = {.name = "Hand"},
    [HEAD_PLAYERS] = {.name = "Players"},
    [HEAD_START] = {.name = "Start"},
    [HEAD_END] = {.name = "End"},
    [HEAD_NAME] = {.name = "Name", .per_seat = true},
    [HEAD_KIND] = {.name = "Kind", .per_seat = true},
    [HEAD_COMMIT] = {.name = "Commit"},
    [HEAD_SERVER_SEED] = {.name = "ServerSeed"},
    [HEAD_CLIENT_SEED] = {.name = "ClientSeed", .per_seat = true},
    [HEAD_TOTALS] = {.name = "Totals"},
    [HEAD_BONUS] = {.name = "Bonus"},
    [HEAD_OUT] = {.name = "Out"},
    [HEAD_LEFT] = {.name = "Left"},
    [HEAD_AWAY] = {.name = "Away"},
    [HEAD_BETWEEN] = {.name = "Between"},
    [HEAD_SETUP] = {.name = "Setup"},
    [HEAD_STARTER] = {.name = "Starter"},
    [HEAD_WILD] = {.name = "Wild"},
    [HEAD_CARDS] = {.name = "Cards", .per_seat = true},
    [HEAD_TURNS] = {.name = "Turns"},
    [HEAD_TO_MOVE] = {.name = "ToMove"},
    [HEAD_PHASE] = {.name = "Phase"},
    [HEAD_OPENED] = {.name = "Opened"},
    [HEAD_MELD] = {.name = "Meld", .repeats = true},
    [HEAD_DISCARD] = {.name = "Discard"},
    [HEAD_STOCK] = {.name = "Stock"},
    [HEAD_REST] = {.name = "Rest"},
    [HEAD_FLIPS] = {.name = "Flips"},
    [HEAD_MISSED] = {.name = "Missed"},
    [HEAD_OPEN_CARD] = {.name = "OpenCard"},
    [HEAD_PICKED] = {.name = "Picked"},
    [HEAD_LOST] = {.name = "Lost"},
    [HEAD_WRONG] = {.name = "Wrong"},
    [HEAD_DECLARER] = {.name = "Declarer"},
    [HEAD_GROUPS] = {.name = "Groups", .per_seat = true},
    [HEAD_DONE] = {.name = "Done"},
};

const char *const eng_record_actions[ENG_MOVE_TYPE_END] = {
    [ENG_DRAW_STOCK] = "stock", [ENG_DRAW_DISCARD] = "take", [ENG_CANCEL_DRAW] = "cancel",
    [ENG_MELD] = "meld",        [ENG_TAKE_BACK] = "back",    [ENG_LAY_OFF] = "lay",
    [ENG_SWAP] = "swap",        [ENG_DISCARD] = "throw",     [ENG_TIME_OUT] = "time-out",
    [ENG_LEAVE] = "leave",      [ENG_RETURN] = "return",     [ENG_FLIP] = "flip",
    [ENG_DECLARE] = "declare",  [ENG_GROUP] = "group",       [ENG_DROP] = "drop",
    [ENG_REJOIN] = "rejoin",    [ENG_CLOSE] = "close",
};

const char *const eng_record_kinds[ENG_BOT_LEVELS] = {
    "person", [ENG_BOT_EASY] = "bot easy", [ENG_BOT_MEDIUM] = "bot medium", [ENG_BOT_STRONG] = "bot strong",
    [ENG_BOT_MASTER] = "bot master"};

const char *const eng_record_endings[ENG_ENDINGS_N] = {
    NULL,
#define ENG_ENDING(id, name, word) word,
#include "engine/core/endings.def"
#undef ENG_ENDING
};

const char *const eng_record_flags[RECORD_FLAGS] = {"opened",  "won",   "rummy", "left",
                                                    "dropped", "wrong", "out",   "sat-out"};

const char *eng_record_kind(const struct eng_record_seat *seat)
{
    ASSERT(seat->bot < ENG_BOT_LEVELS && (!seat->program || seat->bot == 0));
    return seat->program ? ENG_RECORD_PROGRAM : eng_record_kinds[seat->bot];
}
