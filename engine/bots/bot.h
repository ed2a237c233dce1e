/* Inside the bots: what one knows while it thinks about a move, and the questions its parts ask
 * each other. bot.c decides, hand.c weighs hands, discard.c chooses the discard.
 * Everything is rebuilt from the view at each call: a bot has no memory but its random state. */
#ifndef RUMMYD_ENGINE_BOTS_BOT_H
#define RUMMYD_ENGINE_BOTS_BOT_H

#include "engine/play/legal.h"

/* How a bot of one strength plays; the rows are in bot.c. */
struct eng_bot_style {
    /* Of 256: how often it does not see, in a turn, that it could open; that the discard would
     * serve it; that a card could be laid off or swapped. People do not see everything. */
    uint8_t misses_opening, misses_discard, misses_joins;
    bool takes_to_lay_off; /* the discard also for a lay-off or a swap, not only for a meld */
    bool swaps;            /* jokers out of melds */
    bool buries;
    bool counts;        /* which cards can still come */
    bool holds_jokers;  /* back, for the pairs in its hand, while nobody is near the end */
    uint8_t near_melds; /* how much two cards that want a third are worth */
    uint8_t sheds;      /* how much it wants to be rid of points, while nobody is near the end */
    uint8_t danger;     /* how much it minds feeding the table */
};

struct eng_bot {
    struct eng_legal_scene scene;
    const struct eng_bot_style *style;
    uint64_t *rng;
    struct eng_solver_rules rules; /* for melds of this turn */
    uint8_t unseen[SOLVER_TYPES], unseen_jokers;
    uint8_t fewest; /* cards of the opponent who is nearest to the end */
};

/* ---- bot.c ---- */
/* The bot's own dice; and whether it does not see something, so many times of 256. */
uint64_t eng_bot_dice(uint64_t *rng);
bool eng_bot_misses(uint64_t *rng, uint8_t how_often);
/* In the meld family: what the bot sees before it decides. The viewer is to move. */
void eng_bot_look(struct eng_bot *bot, const struct eng_view *view, enum eng_bot_level level, uint64_t *rng);

/* ---- hand.c ---- */
void eng_bot_count_unseen(struct eng_bot *bot);
/* Which cards of the hand could be laid off as the table lies, one after the other. */
void eng_bot_joins(const struct eng_bot *bot, const uint8_t *cards, int n, bool joins[ENG_HAND_MAX]);
/* Some run has an end for a joker. */
bool eng_bot_joker_has_room(const struct eng_bot *bot);
/* The weights for getting rid of cards, those that join the table counting nothing. */
void eng_bot_goal(const struct eng_bot *bot, const uint8_t *cards, int n, struct eng_solver_goal *goal);
/* What would stay in the hand after the best melds and lay-offs, in the weights of eng_bot_goal. throws:
 * a discard follows, 0 when it ends the hand. */
int32_t eng_bot_left_weight(const struct eng_bot *bot, const uint8_t *cards, int n, bool throws);
/* The best melds of an unopened hand: they open (then with as little left as possible), or not. */
bool eng_bot_opening(const struct eng_bot *bot, const uint8_t *cards, int n,
                     struct eng_solver_result *result);
/* How much the card helps the others of the hand to become melds. */
int32_t eng_bot_near_melds(const struct eng_bot *bot, uint8_t card, const uint8_t *cards, int n,
                           const bool *grouped);
/* A card of this type would fit a meld of the table / free a joker of it. */
bool eng_bot_fits_table(const struct eng_bot *bot, uint8_t card);
bool eng_bot_frees_joker(const struct eng_bot *bot, uint8_t card);

/* ---- discard.c ---- */
/* The natural cards that may be thrown and are in no meld, the one that is missed least first; if there are
 * none, the one of a meld that is missed least. Returns how many. */
int eng_bot_throws(const struct eng_bot *bot, uint8_t throws[ENG_HAND_MAX]);
/* Ends the turn: one card, a buried joker, or the last jokers. */
void eng_bot_discard(const struct eng_bot *bot, struct eng_move *move);

#endif
