/* The variants' parameter rows, and access to their fields by name. */
#include "engine/core/params.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"

static const struct eng_params rows[] = {
    {
        .variant = "rummy51",
        .players_min = 2,
        .players_max = 4,
        .packs = 2,
        .jokers = 4,
        .deal = 14,
        .deal_two = 14,
        .starter_extra = 1,
        .face_up_start = 0,
        .ace_low = 1,
        .ace_high = 1,
        .ace_low_points = 10,
        .ace_high_points = 10,
        .ace_points = 10,
        .court_points = 10,
        .joker_points = 20,
        .run_max = 14,
        .set_max = 4,
        .jokers_opening_max = 1,
        .jokers_set_max = 1,
        .jokers_ratio = ENG_JOKERS_ONE_NATURAL,
        .jokers_apart = 0,
        .joker_joins_set = 0,
        .opening_min = 51,
        .below_minimum = ENG_BELOW_REFUSED,
        .meld_in_round_1 = 0,
        .discard_obliges = 1,
        .taken_discard_in_opening = 0,
        .throw_back = 1,
        .lay_off_unopened = 0,
        .swap_set_full = 0,
        .swapped_joker_kept = 1,
        .joker_buried = 1,
        .win_points = -40,
        .hand_win_points = -40,
        .never_opened_points = 100,
        .session_hands = 1,
        .turn_s = 30,
        .hand_s = 120,
        .timeouts_max = 3,
        .stall_turns = 100,
        .last_discard_forced = 1,
        .rummy_winner_factor = 1,
        .rummy_losers_factor = 1,
    },
    {
        .variant = "straight",
        .players_min = 2,
        .players_max = 4,
        .packs = 1,
        .deal = 7,
        .deal_two = 10,
        .face_up_start = 1,
        .ace_low = 1,
        .ace_low_points = 1,
        .ace_high_points = 15,
        .ace_points = 1,
        .court_points = 10,
        .run_max = 13,
        .set_max = 4,
        .jokers_ratio = ENG_JOKERS_ONE_NATURAL,
        .below_minimum = ENG_BELOW_RETURNED,
        .meld_in_round_1 = 1,
        .lay_off_unopened = 1,
        .session_hands = 99,
        .turn_s = 30,
        .hand_s = 120,
        .timeouts_max = 3,
        .stall_turns = 100,
        .stock_flips = 1,
        .last_discard_forced = 1,
        .winner_takes = 1,
        .lowest_wins = 1,
        .rummy_winner_factor = 2,
        .rummy_losers_factor = 1,
        .best_high = 1,
        .ties_share = 1,
        .target = 150,
    },
    {
        .variant = "treff",
        .players_min = 2,
        .players_max = 4,
        .packs = 2,
        .jokers = 3,
        .deal = 13,
        .deal_two = 13,
        .face_up_start = 1,
        .ace_low = 1,
        .ace_high = 1,
        .ace_low_points = 1,
        .ace_high_points = 11,
        .ace_points = 11,
        .court_points = 10,
        .joker_points = 20,
        .run_max = 14,
        .set_max = 4,
        .jokers_opening_max = 14,
        .jokers_set_max = 2,
        .jokers_ratio = ENG_JOKERS_NOT_MORE,
        .joker_joins_set = 1,
        .below_minimum = ENG_BELOW_RETURNED,
        .meld_in_round_1 = 1,
        .throw_back = 1,
        .hand_win_points = 25,
        .session_hands = 3,
        .turn_s = 30,
        .hand_s = 120,
        .timeouts_max = 3,
        .stall_turns = 100,
        .rummy_winner_factor = 1,
        .rummy_losers_factor = 1,
        .hands_negative = 1,
        .best_high = 1,
        .ties_share = 1,
    },
/* rummy40 and rami differ only in the opening. */
#define ROW_OF_SOURCE_3                                                                                      \
    .players_min = 2, .players_max = 4, .packs = 2, .jokers = 6, .deal = 13, .deal_two = 13,                 \
    .face_up_start = 1, .ace_low = 1, .ace_high = 1, .ace_low_points = 1, .ace_high_points = 11,             \
    .ace_points = 11, .court_points = 10, .joker_points = 20, .run_max = 14, .set_max = 4,                   \
    .jokers_opening_max = 14, .jokers_set_max = 1, .jokers_ratio = ENG_JOKERS_FEWER, .jokers_apart = 1,      \
    .joker_joins_set = 1, .below_minimum = ENG_BELOW_RETURNED, .throw_back = 1, .swap_set_full = 1,          \
    .session_hands = 3, .turn_s = 30, .hand_s = 120, .timeouts_max = 3, .stall_turns = 100,                  \
    .one_card_rule = 1, .rummy_winner_factor = 1, .rummy_losers_factor = 2, .ties_share = 1
    {.variant = "rummy40", ROW_OF_SOURCE_3, .opening_min = 40, .meld_in_round_1 = 1},
    {.variant = "rami", ROW_OF_SOURCE_3, .opening_min = 51, .meld_in_round_1 = 0},
#undef ROW_OF_SOURCE_3
/* The five variants of the declare family are the same game with different kinds of sessions. The hand size
 * limits the lengths of runs and sets; grouping.h handles jokers. */
#define ROW_OF_SOURCE_4                                                                                      \
    .family = ENG_FAMILY_DECLARE, .players_min = 2, .players_max = 6, .packs = 2, .jokers = 2, .deal = 13,   \
    .deal_two = 13, .face_up_start = 1, .ace_low = 1, .ace_high = 1, .ace_low_points = 10,                   \
    .ace_high_points = 10, .ace_points = 10, .court_points = 10, .run_max = 13, .set_max = 4,                \
    .throw_back = 1, .turn_s = 30, .hand_s = 120, .group_s = 30, .timeouts_max = 3, .stall_turns = 100,      \
    .rummy_winner_factor = 1, .rummy_losers_factor = 1, .wild_scope = ENG_WILD_RANK, .wild_natural_pure = 1, \
    .points_cap = 80, .wrong_points = 80
#define POOL .pool = 1, .session_hands = ENG_HANDS_MAX, .ties_share = 1
#define DEALS                                                                                                \
    .leave_points = 80, .start_points = 80, .winner_takes = 1, .hands_negative = 1, .best_high = 1,          \
    .ties_share = 1, .tie_hands = 1
    {.variant = "points", ROW_OF_SOURCE_4, .drop_first = 20, .drop_middle = 40, .session_hands = 1},
    {.variant = "pool101",
     ROW_OF_SOURCE_4,
     POOL,
     .drop_first = 20,
     .drop_middle = 40,
     .target = 101,
     .rejoin_max = 79},
    {.variant = "pool201",
     ROW_OF_SOURCE_4,
     POOL,
     .drop_first = 25,
     .drop_middle = 50,
     .target = 201,
     .rejoin_max = 174},
    {.variant = "deals2", ROW_OF_SOURCE_4, DEALS, .session_hands = 2},
    {.variant = "deals3", ROW_OF_SOURCE_4, DEALS, .session_hands = 3},
#undef ROW_OF_SOURCE_4
#undef POOL
#undef DEALS
};

const struct eng_param_field eng_param_fields[ENG_PARAM_COUNT] = {
#define ENG_PARAM(field, least, greatest) {#field, offsetof(struct eng_params, field), (least), (greatest)},
#include "engine/core/params.def"
#undef ENG_PARAM
};

_Static_assert(sizeof(struct eng_params) == ENG_VARIANT_NAME_MAX + 2 * ENG_PARAM_COUNT,
               "a row has no padding");

const struct eng_params *eng_params_find(const char *variant)
{
    ASSERT(variant != NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (strcmp(rows[i].variant, variant) == 0)
            return &rows[i];
    return NULL;
}

int eng_params_fields(const struct eng_params *params)
{
    ASSERT(params->family == ENG_FAMILY_MELD || params->family == ENG_FAMILY_DECLARE);
    return params->family == ENG_FAMILY_DECLARE ? ENG_PARAM_COUNT : ENG_PARAM_NO_family;
}

const struct eng_params *eng_params_at(size_t number)
{
    ASSERT(ARRAY_LEN(rows) > 0);
    return number < ARRAY_LEN(rows) ? &rows[number] : NULL;
}

int16_t eng_param_get(const struct eng_params *params, int field)
{
    ASSERT(field >= 0 && field < ENG_PARAM_COUNT);
    int16_t value;
    memcpy(&value, (const char *)params + eng_param_fields[field].offset, sizeof value);
    return value;
}

bool eng_param_set(struct eng_params *params, int field, long value)
{
    ASSERT(field >= 0 && field < ENG_PARAM_COUNT);
    const struct eng_param_field *f = &eng_param_fields[field];
    if (value < f->least || value > f->greatest)
        return false;
    int16_t small = (int16_t)value;
    memcpy((char *)params + f->offset, &small, sizeof small);
    ASSERT(eng_param_get(params, field) == value);
    return true;
}

int eng_param_named(const char *name, size_t len)
{
    ASSERT(name != NULL);
    for (int i = 0; i < ENG_PARAM_COUNT; i++)
        if (strlen(eng_param_fields[i].name) == len && memcmp(eng_param_fields[i].name, name, len) == 0)
            return i;
    return -1;
}

/* ---- Options of private tables ---- */

static bool has_always(const struct eng_params *p)
{
    return p->turn_s > 0;
}

static bool has_target(const struct eng_params *p)
{
    return p->target > 0 && !p->pool;
}

static bool has_rounds(const struct eng_params *p)
{
    return p->target == 0 && p->session_hands > 1 && !p->tie_hands;
}

static bool has_opening(const struct eng_params *p)
{
    return p->opening_min > 0;
}

static bool has_wild(const struct eng_params *p)
{
    return p->wild_scope != ENG_WILD_NONE;
}

static bool has_obliging_discard(const struct eng_params *p)
{
    return p->discard_obliges != 0;
}

static const struct {
    const char *name;
    int field;
    int16_t least, greatest;
    bool (*knows)(const struct eng_params *params);
} options[] = {
    {"target", ENG_PARAM_NO_target, 50, 500, has_target},
    {"rounds", ENG_PARAM_NO_session_hands, 1, 9, has_rounds},
    {"opening_min", ENG_PARAM_NO_opening_min, 1, 200, has_opening},
    {"turn_s", ENG_PARAM_NO_turn_s, 10, 120, has_always},
    {"hand_s", ENG_PARAM_NO_hand_s, 0, 1200, has_always},
    {"wild_natural_pure", ENG_PARAM_NO_wild_natural_pure, 0, 1, has_wild},
    {"taken_discard_in_opening", ENG_PARAM_NO_taken_discard_in_opening, 0, 1, has_obliging_discard},
};

/* The ace is at one end of runs only, which determines its points in hand. */
static bool set_ace(struct eng_params *params, const char *value)
{
    bool low = strcmp(value, "low") == 0;
    if (params->ace_low == params->ace_high || (!low && strcmp(value, "high") != 0))
        return false;
    params->ace_low = low;
    params->ace_high = !low;
    params->ace_points = low ? params->ace_low_points : params->ace_high_points;
    ASSERT(params->ace_low != params->ace_high);
    return true;
}

/* Which cards the turned-up card makes wild: its rank, or only its rank and suit. */
static bool set_wild_scope(struct eng_params *params, const char *value)
{
    bool rank = strcmp(value, "rank") == 0;
    if (!has_wild(params) || (!rank && strcmp(value, "exact") != 0))
        return false;
    params->wild_scope = rank ? ENG_WILD_RANK : ENG_WILD_EXACT;
    ASSERT(has_wild(params));
    return true;
}

/* The hand clock scales with the turn clock unless it was set explicitly. */
static void follow_turn(struct eng_params *params, int16_t turn_before)
{
    if (params->hand_s == ENG_HAND_CLOCK_TURNS * turn_before)
        params->hand_s = (int16_t)(ENG_HAND_CLOCK_TURNS * params->turn_s);
}

static bool set_number(struct eng_params *params, int field, int64_t number)
{
    int16_t turn_before = params->turn_s;
    bool set = eng_param_set(params, field, (long)number);
    if (set && field == ENG_PARAM_NO_turn_s)
        follow_turn(params, turn_before);
    return set;
}

bool eng_params_set(struct eng_params *params, const char *name, const char *value)
{
    ASSERT(params != NULL && name != NULL && value != NULL);
    if (strcmp(name, "ace") == 0)
        return set_ace(params, value);
    if (strcmp(name, "wild_scope") == 0)
        return set_wild_scope(params, value);
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        int64_t number;
        if (strcmp(options[i].name, name) == 0)
            return options[i].knows(params) &&
                   text_i64(value, options[i].least, options[i].greatest, &number) &&
                   set_number(params, options[i].field, number);
    }
    return false;
}

bool eng_params_option(const struct eng_params *params, int i, struct eng_option *option)
{
    static const char *const ends[] = {"low", "high", NULL}, *const scopes[] = {"rank", "exact", NULL};
    ASSERT(params != NULL && i >= 0);
    if (params->ace_low != params->ace_high && i-- == 0) {
        *option = (struct eng_option){"ace", 0, 1, params->ace_high, ends};
        return true;
    }
    if (has_wild(params) && i-- == 0) {
        *option =
            (struct eng_option){"wild_scope", ENG_WILD_RANK, ENG_WILD_EXACT, params->wild_scope, scopes};
        return true;
    }
    for (size_t k = 0; k < ARRAY_LEN(options); k++) {
        if (!options[k].knows(params) || i-- > 0)
            continue;
        *option = (struct eng_option){.name = options[k].name,
                                      .least = options[k].least,
                                      .greatest = options[k].greatest,
                                      .value = eng_param_get(params, options[k].field)};
        return true;
    }
    return false;
}

int eng_params_cards(const struct eng_params *params)
{
    ASSERT(params->packs >= 1 && params->jokers >= 0);
    int cards = params->packs * 52 + params->jokers;
    ASSERT(cards <= ENG_CARD_MAX);
    return cards;
}

int eng_params_deal(const struct eng_params *params, int players)
{
    ASSERT(players >= 2 && players <= ENG_SEAT_MAX);
    int deal = players == 2 ? params->deal_two : params->deal;
    ASSERT(deal + params->starter_extra <= ENG_HAND_MAX);
    return deal;
}

/* Constraints that the state machine of the declare family relies on. */
static bool declare_ok(const struct eng_params *p)
{
    bool drops = p->drop_first > 0;
    return p->packs == 2 && p->deal == 13 && p->deal_two == 13 && p->starter_extra == 0 &&
           p->face_up_start == 1 && p->wild_scope != ENG_WILD_NONE && p->points_cap > 0 &&
           p->wrong_points > 0 && p->group_s >= 1 && drops == (p->drop_middle > 0) &&
           (drops || p->leave_points > 0) && p->stock_flips == 0 &&
           (p->pool ? p->target > 0 : p->target == 0 && p->rejoin_max == 0) &&
           (!p->tie_hands || p->ties_share);
}

bool eng_params_ok(const struct eng_params *params, int players)
{
    if (params->variant[0] == '\0' || params->variant[ENG_VARIANT_NAME_MAX - 1] != '\0')
        return false;
    for (int i = 0; i < ENG_PARAM_COUNT; i++) {
        int16_t value = eng_param_get(params, i);
        if (value < eng_param_fields[i].least || value > eng_param_fields[i].greatest)
            return false;
    }
    if (players < params->players_min || players > params->players_max)
        return false;
    if (!params->ace_low && !params->ace_high)
        return false;
    if (params->hand_s != 0 && params->hand_s < params->turn_s)
        return false;
    for (int i = eng_params_fields(params); i < ENG_PARAM_COUNT; i++)
        if (eng_param_get(params, i) != 0)
            return false;
    if (params->family == ENG_FAMILY_DECLARE && !declare_ok(params))
        return false;
    /* A set needs two natural cards, because a single one among jokers makes a run. */
    if (params->jokers_set_max > 1 && params->jokers_ratio == ENG_JOKERS_ONE_NATURAL)
        return false;
    /* Laying off before opening is possible only in variants without an opening. */
    if (params->lay_off_unopened && (params->opening_min > 0 || params->discard_obliges))
        return false;
    /* Otherwise, a player left with a joker of an undone swap and the discard just taken could discard
     * neither. */
    if (params->jokers > 0 && !params->throw_back && !params->swapped_joker_kept)
        return false;
    /* After the deal, at least one card must remain to draw and one to start the discard pile. */
    int dealt = players * eng_params_deal(params, players) + params->starter_extra +
                (params->wild_scope != ENG_WILD_NONE);
    return dealt + 2 <= eng_params_cards(params);
}
