/* Internals of the bots: the state of one decision and the functions shared by the files. bot.c decides,
 * hand.c evaluates hands, discard.c chooses the discard. Everything is rebuilt from the view on each call:
 * a bot has no memory except its random state. */
#ifndef RUMMYD_ENGINE_BOTS_BOT_H
#define RUMMYD_ENGINE_BOTS_BOT_H

#include "engine/play/legal.h"

/* How a bot of one level plays; the rows are in bot.c. */
struct eng_bot_style {
    /* Chances out of 256, per turn, of overlooking that it could open, that the discard would help, or that
     * a card could be laid off or swapped. Human players overlook things, too. */
    uint8_t misses_opening, misses_discard, misses_joins;
    bool takes_to_lay_off; /* also takes the discard for a lay-off or a swap, not only for a meld */
    bool swaps;            /* swaps jokers out of melds */
    bool buries;
    bool counts;        /* keeps track of unseen cards */
    bool holds_jokers;  /* keeps jokers for pairs in hand until someone is about to go out */
    uint8_t near_melds; /* how much a pair that needs a third card is worth */
    uint8_t sheds;      /* how much it gets rid of points until someone is about to go out */
    uint8_t danger;     /* how much it avoids discards that others could use */
};

struct eng_bot {
    struct eng_legal_scene scene;
    const struct eng_bot_style *style;
    uint64_t *rng;
    struct eng_solver_rules rules; /* for melds in this turn */
    uint8_t unseen[SOLVER_TYPES], unseen_jokers;
    uint8_t fewest; /* cards held by the opponent who has the fewest */
};

/* ---- bot.c ---- */
/* Meld family: prepares what the bot knows before it decides. The viewer is to move. */
void eng_bot_set_view(struct eng_bot *bot, const struct eng_view *view, enum eng_bot_level level,
                      uint64_t *rng);

/* ---- hand.c ---- */
void eng_bot_count_unseen(struct eng_bot *bot);
/* Which cards of the hand could be laid off, one after another, on the melds now on the table. */
void eng_bot_joins(const struct eng_bot *bot, const uint8_t *cards, int n, bool joins[ENG_HAND_MAX]);
/* Whether any run on the table accepts a joker at one of its ends. */
bool eng_bot_joker_has_room(const struct eng_bot *bot);
/* Weights for getting rid of cards; cards that can be laid off weigh nothing. */
void eng_bot_goal(const struct eng_bot *bot, const uint8_t *cards, int n, struct eng_solver_goal *goal);
/* Weight (see eng_bot_goal) of the cards left in hand after the best melds and lay-offs. throws: a discard
 * follows; the result is 0 if it ends the hand. */
int32_t eng_bot_left_weight(const struct eng_bot *bot, const uint8_t *cards, int n, bool throws);
/* Finds the best melds of an unopened hand: if they open, those that leave as little as possible. false:
 * they do not open. */
bool eng_bot_opening(const struct eng_bot *bot, const uint8_t *cards, int n,
                     struct eng_solver_result *result);
/* How much the card helps the other cards in hand to become melds. */
int32_t eng_bot_near_melds(const struct eng_bot *bot, uint8_t card, const uint8_t *cards, int n,
                           const bool *grouped);
/* Whether a card of this type would fit a meld on the table / free a joker in one. */
bool eng_bot_fits_table(const struct eng_bot *bot, uint8_t card);
bool eng_bot_frees_joker(const struct eng_bot *bot, uint8_t card);

/* ---- discard.c ---- */
/* The natural cards that can be discarded and are in no meld, the least useful first; if there are none, the
 * least useful card of a meld. Returns how many. */
int eng_bot_throws(const struct eng_bot *bot, uint8_t throws[ENG_HAND_MAX]);
/* Ends the turn: discards one card, a buried joker, or the last jokers. */
void eng_bot_discard(const struct eng_bot *bot, struct eng_move *move);

#endif
