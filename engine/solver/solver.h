/* The exact best grouping of a hand into melds: for an opening (greatest worth) or for getting rid of cards
 * (least dead weight). Other questions are other choices of weights.
 *
 * Called by eng_legal for hints, and many times per move by the bots. Pure: no allocation, no state, about 70
 * KiB of stack. Any thread. tests/engine/test_solver.c compares it with a brute-force search. */
#ifndef RUMMYD_ENGINE_SOLVER_SOLVER_H
#define RUMMYD_ENGINE_SOLVER_SOLVER_H

#include "engine/core/params.h"
#include "engine/eng.h"

enum {
    SOLVER_GROUPS_MAX = ENG_HAND_MAX / 3,
    SOLVER_JOKERS_MAX = 6,
    SOLVER_PLACES = 14,      /* of a run: the ace is at both ends */
    SOLVER_TYPES = 52,       /* suit * 13 + rank: both copies of a card are one type */
    SOLVER_WEIGHT_MAX = 100, /* of one card, including its worth; keeps every sum within 16 bits */
};

/* What a meld may be, from the variant's row and the state of the game. */
struct eng_solver_rules {
    uint8_t place_low, place_high; /* of runs: 0 or 1 .. 12 or 13 */
    uint8_t run_max, set_max;
    uint8_t run_jokers_max, set_jokers_max; /* in one meld */
    int8_t joker_excess_max;                /* jokers - naturals of a meld is at most this */
    bool jokers_adjacent;                   /* in a run */
    uint8_t run_worth[SOLVER_PLACES];       /* of the card at each place, natural or joker */
    uint8_t set_worth[13];                  /* of one card of each rank */
};

/* What must remain in hand after laying the groups (docs/rules.md §3.1). */
enum eng_solver_keep {
    SOLVER_KEEP_NOTHING,
    SOLVER_KEEP_A_CARD, /* any: jokers alone may be discarded, too */
    SOLVER_KEEP_A_NATURAL,
    SOLVER_KEEP_A_THROW, /* a natural card, or one joker and nothing else */
};

/* Maximizes: worth_factor * worth of the melds + weights of the cards that went out. */
struct eng_solver_goal {
    uint8_t worth_factor;
    int16_t weight[SOLVER_TYPES];
    int16_t joker_weight;
    uint8_t keep;      /* enum eng_solver_keep */
    uint8_t must_card; /* a natural card of the hand that must be in a meld, or ENG_NO_CARD */
};

struct eng_solver_group {
    uint8_t kind; /* enum eng_meld_kind */
    uint8_t n;
    uint8_t low; /* run: place of the first card; set: the rank */
    uint8_t jokers;
    uint16_t worth;
    uint8_t cards[ENG_RUN_MAX]; /* a run in order, ready for ENG_MELD */
};

struct eng_solver_result {
    int32_t score;
    uint16_t worth; /* of all groups */
    bool found; /* false: the card that must be in a meld fits in none, or no hand of one or more cards keeps
                   what must be kept; nothing is grouped then */
    uint8_t groups_n;
    struct eng_solver_group groups[SOLVER_GROUPS_MAX];
    uint8_t left_n;
    uint8_t left[ENG_HAND_MAX]; /* ascending */
};

/* jokers_max: in one meld, from eng_jokers_max. */
void eng_solver_rules_of(struct eng_solver_rules *rules, const struct eng_params *params, int jokers_max);
/* Every card weighs its points in hand: least dead weight. Keeps nothing. */
void eng_solver_goal_points(struct eng_solver_goal *goal, const struct eng_params *params);
/* What eng_hand_can_discard requires of a hand after melds; staged: below the opening minimum. */
enum eng_solver_keep eng_solver_keep_of(const struct eng_params *params, bool staged);

/* cards: distinct physical cards, at most ENG_HAND_MAX, jokers at most SOLVER_JOKERS_MAX. */
void eng_solver_best(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                     const uint8_t *cards, int n, struct eng_solver_result *result);
/* Only the score, without keep and must_card: the most frequent query of the bots. */
int32_t eng_solver_score(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                         const uint8_t *cards, int n);

#endif
