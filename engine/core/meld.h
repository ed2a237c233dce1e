/* What a meld is, what fits it and what it is worth: the shared ground of the state machine, of
 * eng_legal and of the solver. Pure functions of a parameter row; nothing here knows a game. */
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
    uint8_t jokers; /* how many of its cards are jokers */
    uint8_t n;      /* 0: no meld */
    uint8_t cards[ENG_RUN_MAX];
};

/* Why something is no meld or does not fit, with the cards to blame. */
struct eng_blame {
    enum eng_refusal code; /* ENG_OK: nothing */
    uint8_t n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
};

/* Jokers that a group laid now may have: fewer in the turn in which its owner opens
 * (docs/rules.md §4.1). */
static inline int eng_jokers_max(const struct eng_params *params, bool opened, bool opening_turn)
{
    return !opened || opening_turn ? params->jokers_opening_max : ENG_RUN_MAX;
}

/* Are these cards a meld in this order (runs ascend, sets in any order)? Fills *meld (owner and
 * staged are zero) or *blame. jokers_max from eng_jokers_max. Cards are distinct and exist. */
bool eng_meld_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                    struct eng_meld *meld, struct eng_blame *blame);

/* May the card be laid off on the meld, and at which end? wanted: ENG_END_NONE for a set, or for a
 * natural card that fits one end of a run. On success *end is ENG_END_NONE (set), LOW or HIGH. */
bool eng_meld_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                   enum eng_end wanted, int jokers_max, enum eng_end *end, struct eng_blame *blame);

/* Which joker of the meld does this natural card free? joker: the one meant, or ENG_NO_CARD for
 * any. On success *place is its index in cards[]. */
bool eng_meld_frees(const struct eng_params *params, const struct eng_meld *meld, uint8_t card, uint8_t joker,
                    uint8_t *place, struct eng_blame *blame);

/* Adds a card that fits / exchanges a joker: the meld stays a meld. */
void eng_meld_add(struct eng_meld *meld, uint8_t card, enum eng_end end);
void eng_meld_put(struct eng_meld *meld, uint8_t place, uint8_t card);

/* Points: of a place in a run, of a card of a rank in a set or hand, of a card in hand (jokers
 * too), of a whole meld with its jokers as the cards they stand for, of a whole hand. */
int eng_place_points(const struct eng_params *params, int place);
int eng_rank_points(const struct eng_params *params, int rank);
int eng_card_points(const struct eng_params *params, uint8_t card);
int eng_meld_points(const struct eng_params *params, const struct eng_meld *meld);
int eng_cards_points(const struct eng_params *params, const struct eng_cards *hand);

/* Does this hand hold something that may be discarded at the end of the turn (docs/rules.md §3.1)?
 * staged: melds are staged below the opening minimum, so the hand cannot go out as it is.
 * taken: the discard taken in this turn, or ENG_NO_CARD. */
bool eng_hand_can_discard(const struct eng_params *params, const struct eng_cards *hand, bool staged,
                          uint8_t taken);

/* Would this meld still be one with the joker back in that place, where the card that freed it lies? Not
 * always when another joker has been laid on it since. */
bool eng_meld_takes_back(const struct eng_params *params, const struct eng_meld *meld, uint8_t place,
                         uint8_t joker);

/* docs/rules.md §7.3: two jokers are the whole hand, no joker is buried, and one of them may be laid off on
 * one of these melds. The hand may do that and then end with the other one, so neither is thrown instead.
 * opening_turn: the seat opened in this turn, which may limit the jokers of its own melds. */
bool eng_joker_must_join(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                         const struct eng_cards *hand, uint8_t seat, bool opening_turn);

/* May these cards be discarded together (docs/rules.md §3.4)? rest: the hand without them; staged: melds
 * are staged below the opening minimum. */
enum eng_refusal eng_discard_shape(const struct eng_params *params, const uint8_t *cards, int n,
                                   const struct eng_cards *rest, bool staged);

/* The one-card rule (docs/rules.md §7.4): does the hand hold one card, and can some legal line of lay-offs
 * and swaps with it and the discard end with a discard of the last card? */
bool eng_one_card_ends(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                       const struct eng_cards *hand, uint8_t discard, bool opened);

/* The same meld as a viewer sees it, ready for the functions above. */
void eng_meld_of_view(struct eng_meld *meld, const struct eng_view_meld *seen);

#endif
