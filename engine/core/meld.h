/* Which cards form a meld, which cards fit it, and its worth. Shared by the state machine, eng_legal, and
 * the solver. Pure functions of a variant's parameters; nothing here accesses a game. */
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

/* Why cards do not form a meld or a card does not fit, with the offending cards. */
struct eng_blame {
    enum eng_refusal code; /* ENG_OK: nothing to blame */
    uint8_t n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
};

/* Number of jokers allowed in a group laid now: fewer in the turn in which the seat opens (docs/rules.md
 * §4.1). */
static inline int eng_jokers_max(const struct eng_params *params, bool opened, bool opening_turn)
{
    return !opened || opening_turn ? params->jokers_opening_max : ENG_RUN_MAX;
}

/* Whether these cards form a meld in this order (runs ascending, sets in any order). Fills *meld (owner and
 * staged are zero) or *blame. jokers_max from eng_jokers_max. The cards must be valid and distinct. */
bool eng_meld_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                    struct eng_meld *meld, struct eng_blame *blame);

/* Whether the card can be laid off on the meld, and at which end. wanted: ENG_END_NONE for a set, or for a
 * natural card that fits only one end of a run. On success, *end is ENG_END_NONE (set), ENG_END_LOW, or
 * ENG_END_HIGH. */
bool eng_meld_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                   enum eng_end wanted, int jokers_max, enum eng_end *end, struct eng_blame *blame);

/* Whether this natural card frees a joker of the meld. joker: the requested one, or ENG_NO_CARD for any. On
 * success, *place is its index in cards[]. */
bool eng_meld_frees(const struct eng_params *params, const struct eng_meld *meld, uint8_t card, uint8_t joker,
                    uint8_t *place, struct eng_blame *blame);

/* Adds a card that fits / replaces a joker. The meld remains valid. */
void eng_meld_add(struct eng_meld *meld, uint8_t card, enum eng_end end);
void eng_meld_put(struct eng_meld *meld, uint8_t place, uint8_t card);

/* Points of, in this order: a place in a run; a rank in a set or a hand; a card in hand (including jokers);
 * a whole meld, where jokers count as the cards they represent; a whole hand. */
int eng_place_points(const struct eng_params *params, int place);
int eng_rank_points(const struct eng_params *params, int rank);
int eng_card_points(const struct eng_params *params, uint8_t card);
int eng_meld_points(const struct eng_params *params, const struct eng_meld *meld);
int eng_cards_points(const struct eng_params *params, const struct eng_cards *hand);

/* Whether this hand will have a card to discard at the end of the turn (docs/rules.md §3.1). staged: melds
 * are staged below the opening minimum, so the hand cannot go out as it is. taken: the discard taken in
 * this turn, or ENG_NO_CARD. */
bool eng_hand_can_discard(const struct eng_params *params, const struct eng_cards *hand, bool staged,
                          uint8_t taken);

/* Whether this meld would still be valid with the joker back in the place of the card that freed it. It may
 * not be if another joker has been laid on the meld since. */
bool eng_meld_takes_back(const struct eng_params *params, const struct eng_meld *meld, uint8_t place,
                         uint8_t joker);

/* docs/rules.md §7.3: whether two jokers are the whole hand, jokers cannot be buried, and one of them can
 * be laid off on one of these melds. If so, neither may be discarded instead, because the player can lay
 * one off and go out with the other. opening_turn: the seat opened in this turn, which may limit the jokers
 * in its melds. */
bool eng_joker_must_join(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                         const struct eng_cards *hand, uint8_t seat, bool opening_turn);

/* Whether these cards may be discarded together (docs/rules.md §3.4). rest: the hand without them; staged:
 * melds are staged below the opening minimum. */
enum eng_refusal eng_discard_shape(const struct eng_params *params, const uint8_t *cards, int n,
                                   const struct eng_cards *rest, bool staged);

/* The one-card rule (docs/rules.md §7.4): whether the hand holds one card and, together with the top
 * discard, could go out by some legal sequence of lay-offs and swaps. */
bool eng_one_card_ends(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                       const struct eng_cards *hand, uint8_t discard, bool opened);

/* Converts a meld of a view for the functions above. */
void eng_meld_of_view(struct eng_meld *meld, const struct eng_view_meld *seen);

#endif
