/* Parameters: a variant is a row of numbers that the state machine reads. Adding a variant is
 * adding a row to params.c. Read by every file of the engine, by records and by bots. */
#ifndef RUMMYD_ENGINE_CORE_PARAMS_H
#define RUMMYD_ENGINE_CORE_PARAMS_H

#include "engine/eng.h"

enum {
    ENG_VARIANT_NAME_MAX = 12, /* with the NUL */
    ENG_HANDS_MAX = 99,        /* of a session, whatever happens */
    ENG_HAND_CLOCK_TURNS = 4,  /* a hand clock that was not chosen is this many turn clocks long */
    ENG_HAND_CLOCK_STEP_S = 8, /* what each completed turn gives back, and what a turn has at least */
};

/* How many jokers a meld may have beside its natural cards. */
enum eng_jokers_ratio {
    ENG_JOKERS_ONE_NATURAL, /* one natural card is enough */
    ENG_JOKERS_NOT_MORE,    /* not more jokers than naturals */
    ENG_JOKERS_FEWER,       /* fewer jokers than naturals */
};
/* What a discard does while staged melds do not reach the opening minimum. */
enum eng_below_minimum {
    ENG_BELOW_REFUSED,  /* it is refused: complete the opening or take the melds back */
    ENG_BELOW_RETURNED, /* the melds go back to the hand, then the discard counts */
};

/* Which state machine plays a variant. */
enum eng_family {
    ENG_FAMILY_MELD,    /* melds are laid down turn by turn */
    ENG_FAMILY_DECLARE, /* a whole hand is declared at once */
};
/* Which cards the card turned up makes wild. */
enum eng_wild_scope {
    ENG_WILD_NONE,  /* no card is turned up */
    ENG_WILD_RANK,  /* its whole rank; all aces when it is a printed joker */
    ENG_WILD_EXACT, /* only its rank and suit; likewise the aces for a printed joker */
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
    size_t offset; /* of an int16_t in struct eng_params */
    int16_t least, greatest;
};
enum {
#define ENG_PARAM(field, least, greatest) ENG_PARAM_NO_##field,
#include "engine/core/params.def"
#undef ENG_PARAM
    ENG_PARAM_COUNT
};
extern const struct eng_param_field eng_param_fields[ENG_PARAM_COUNT];
/* The fields that say something in this row's family are the first so many: a record names these. */
int eng_params_fields(const struct eng_params *params);

/* The rows one after the other; NULL after the last. */
const struct eng_params *eng_params_at(size_t number);

int16_t eng_param_get(const struct eng_params *params, int field);
/* false: out of the field's range; the row is unchanged. */
bool eng_param_set(struct eng_params *params, int field, long value);
/* The number of the field of that name, -1 when there is none. */
int eng_param_named(const char *name, size_t len);
/* An option of a private table by its name: ace (low, high), target, opening_min, rounds, turn_s,
 * hand_s, taken_discard_in_opening, wild_scope (rank, exact), wild_natural_pure, as far as the row knows it.
 * Setting turn_s changes a hand_s that is still the default for the old turn_s. false: no such option or
 * value; unchanged. */
bool eng_params_set(struct eng_params *params, const char *name, const char *value);
/* An option a row knows: its range and what it is now; words stand for the numbers from `least` on where it
 * has any, NULL behind the last. They are literals. */
struct eng_option {
    const char *name;
    int16_t least, greatest, value;
    const char *const *words; /* NULL: a number */
};
/* The i-th of them; false behind the last. */
bool eng_params_option(const struct eng_params *params, int i, struct eng_option *option);
/* The whole row makes sense for so many players: ranges, and the pack is large enough for the deal. */
bool eng_params_ok(const struct eng_params *params, int players);

/* Cards of the pack. */
int eng_params_cards(const struct eng_params *params);
/* Cards dealt to each seat; the starter's extra card not counted. */
int eng_params_deal(const struct eng_params *params, int players);

#endif
