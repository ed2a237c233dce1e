/* A variant is a row of parameters that the state machine reads. To add a variant, add a row to params.c.
 * Read by every file of the engine, by records, and by bots. */
#ifndef RUMMYD_ENGINE_CORE_PARAMS_H
#define RUMMYD_ENGINE_CORE_PARAMS_H

#include "engine/eng.h"

enum {
    ENG_VARIANT_NAME_MAX = 12, /* including the NUL */
    ENG_HANDS_MAX = 99,        /* maximum for any session */
    ENG_HAND_CLOCK_TURNS = 4,  /* default length of the hand clock, in units of the turn clock */
    ENG_HAND_CLOCK_STEP_S = 8, /* time that each completed turn adds, and the minimum time for a turn */
};

/* How many jokers a meld may contain relative to its natural cards. */
enum eng_jokers_ratio {
    ENG_JOKERS_ONE_NATURAL, /* one natural card is enough */
    ENG_JOKERS_NOT_MORE,    /* at most as many jokers as naturals */
    ENG_JOKERS_FEWER,       /* fewer jokers than naturals */
};
/* The effect of a discard while staged melds are below the opening minimum. */
enum eng_below_minimum {
    ENG_BELOW_REFUSED,  /* refused: complete the opening or take the melds back */
    ENG_BELOW_RETURNED, /* the melds return to the hand, then the card is discarded */
};

/* The state machine that plays a variant. */
enum eng_family {
    ENG_FAMILY_MELD,    /* melds are laid down turn by turn */
    ENG_FAMILY_DECLARE, /* a whole hand is declared at once */
};
/* Which cards the turned-up card makes wild. */
enum eng_wild_scope {
    ENG_WILD_NONE,  /* no card is turned up */
    ENG_WILD_RANK,  /* its whole rank; all aces if it is a printed joker */
    ENG_WILD_EXACT, /* only its rank and suit; for a printed joker also the aces */
};

struct eng_params {
    char variant[ENG_VARIANT_NAME_MAX]; /* NUL-padded */
#define ENG_PARAM(field, least, greatest) int16_t field;
#include "engine/core/params.def"
#undef ENG_PARAM
};

/* One field, for records and configuration. */
struct eng_param_field {
    const char *name;
    size_t offset; /* offset of an int16_t in struct eng_params */
    int16_t least, greatest;
};
enum {
#define ENG_PARAM(field, least, greatest) ENG_PARAM_NO_##field,
#include "engine/core/params.def"
#undef ENG_PARAM
    ENG_PARAM_COUNT
};
extern const struct eng_param_field eng_param_fields[ENG_PARAM_COUNT];
/* How many of the first fields are relevant for this row's family: a record lists these. */
int eng_params_fields(const struct eng_params *params);

/* The rows in order; NULL after the last. */
const struct eng_params *eng_params_at(size_t number);

int16_t eng_param_get(const struct eng_params *params, int field);
/* false: out of the field's range; the row is unchanged. */
bool eng_param_set(struct eng_params *params, int field, long value);
/* The index of the field with this name; -1 if there is none. */
int eng_param_named(const char *name, size_t len);
/* Sets an option of a private table by its name: ace (low, high), target, opening_min, rounds, turn_s,
 * hand_s, taken_discard_in_opening, wild_scope (rank, exact), wild_natural_pure, if the row has it. Setting
 * turn_s also changes hand_s if that is still the default for the old turn_s. false: no such option or
 * value; the row is unchanged. */
bool eng_params_set(struct eng_params *params, const char *name, const char *value);
/* An option of a row: its range and current value. If it has words, they represent the numbers from `least`
 * on and end with NULL. They are string literals. */
struct eng_option {
    const char *name;
    int16_t least, greatest, value;
    const char *const *words; /* NULL: a number */
};
/* The i-th option; false after the last. */
bool eng_params_option(const struct eng_params *params, int i, struct eng_option *option);
/* Whether the row is valid for this number of players: all values are in range and consistent, and the pack
 * is large enough for the deal. */
bool eng_params_ok(const struct eng_params *params, int players);

/* Number of cards in the pack. */
int eng_params_cards(const struct eng_params *params);
/* Cards dealt to each seat, without the starter's extra card. */
int eng_params_deal(const struct eng_params *params, int players);

#endif
