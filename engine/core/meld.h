/* What a meld is, what fits it, and its worth: shared by the state machine, eng_legal, and the solver. Pure
 * functions of a variant's parameters; nothing here accesses a game. */
#ifndef RUMMYD_ENGINE_CORE_MELD_H
#define RUMMYD_ENGINE_CORE_MELD_H

#include "engine/core/cards.h"
#include "engine/core/params.h"
#include "engine/eng.h"

enum { ENG_MELD_MIN = 3, ENG_NO_PLACE = 255 };

struct eng_meld {
    uint8_t kind; /* enum eng_meld_kind */
    uint8_t owner;
    uint8_t staged;
    uint8_t low;    /* run: place of its first card, 0 (ace low) .. 13; set: its rank */
    uint8_t suit;   /* run */
    uint8_t suits;  /* mask of the suits of its natural cards */
    uint8_t jokers; /* number of jokers in it */
    uint8_t n;      /* 0: no meld */
    uint8_t cards[ENG_RUN_MAX];
};

/* Why something is not a meld or does not fit, with the offending cards. */
struct eng_blame {
    enum eng_refusal code; /* ENG_OK: nothing */
    uint8_t n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
};

/* Number of jokers allowed in a group laid now: fewer in the turn in which its owner opens (docs/rules.md
 * §4.1). */
static inline int eng_jokers_max(const struct eng_params *params, bool opened, bool opening_turn)
{
    return !opened || opening_turn ? params->jokers_opening_max : ENG_RUN_MAX;
}

/* Whether these cards are a meld in this order (runs ascend, sets in any order). Fills *meld (owner and
 * staged are zero) or *blame. jokers_max from eng_jokers_max. Cards are distinct and exist. */
bool eng_meld_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                    struct eng_meld *meld, struct eng_blame *blame);

/* Whether the card can be laid off on the meld, and at which end. wanted: ENG_END_NONE for a set, or for a
 * natural card that fits only one end of a run. On success *end is ENG_END_NONE (set), LOW, or HIGH. */
bool eng_meld_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                   enum eng_end wanted, int jokers_max, enum eng_end *end, struct eng_blame *blame);

/* Which joker of the meld this natural card frees. joker: the requested one, or ENG_NO_CARD for any. On
 * success *place is its index in cards[]. */
bool eng_meld_frees(const struct eng_params *params, const struct eng_meld *meld, uint8_t card, uint8_t joker,
                    uint8_t *place, struct eng_blame *blame);

/* Adds a card that fits / replaces a joker: the meld remains valid. */
void eng_meld_add(struct eng_meld *meld, uint8_t card, enum eng_end end);
void eng_meld_put(struct eng_meld *meld, uint8_t place, uint8_t card);

/* Points: of a place in a run, of a card of a rank in a set or hand, of a card in hand (including jokers), of
 * a whole meld with its jokers as the cards they represent, of a whole hand. */
int eng_place_points(const struct eng_params *params, int place);
int eng_rank_points(const struct eng_params *params, int rank);
int eng_card_points(const struct eng_params *params, uint8_t card);
int eng_meld_points(const struct eng_params *params, const struct eng_meld *meld);
int eng_cards_points(const struct eng_params *params, const struct eng_cards *hand);

/* Whether this hand has something to discard at the end of the turn (docs/rules.md §3.1). staged: melds are
 * staged below the opening minimum, so the hand cannot go out as it is. taken: the discard taken in this
 * turn, or ENG_NO_CARD. */
bool eng_hand_can_discard(const struct eng_params *params, const struct eng_cards *hand, bool staged,
                          uint8_t taken);

/* Whether this meld would still be valid with the joker back in the place of the card that freed it. Not
 * always, if another joker has been laid on it since. */
bool eng_meld_takes_back(const struct eng_params *params, const struct eng_meld *meld, uint8_t place,
                         uint8_t joker);

/* docs/rules.md §7.3: two jokers are the whole hand, jokers cannot be buried, and one of them can be laid off
 * on one of these melds. Then the hand can do that and end with the other one, so neither may be discarded
 * instead. opening_turn: the seat opened in this turn, which may limit the jokers in its melds. */
bool eng_joker_must_join(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                         const struct eng_cards *hand, uint8_t seat, bool opening_turn);

/* Whether these cards may be discarded together (docs/rules.md §3.4). rest: the hand without them; staged:
 * melds are staged below the opening minimum. */
enum eng_refusal eng_discard_shape(const struct eng_params *params, const uint8_t *cards, int n,
                                   const struct eng_cards *rest, bool staged);

/* The one-card rule (docs/rules.md §7.4): whether the hand holds one card, and some legal sequence of
 * lay-offs and swaps with it and the discard can end with discarding the last card. */
bool eng_one_card_ends(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                       const struct eng_cards *hand, uint8_t discard, bool opened);

/* Converts a meld from a view for the functions above. */
void eng_meld_of_view(struct eng_meld *meld, const struct eng_view_meld *seen);

#endif
