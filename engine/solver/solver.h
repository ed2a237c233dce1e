/* The exact best grouping of a hand into melds: for an opening (greatest worth), for getting rid of cards
 * (least deadwood), or for any other goal expressed in weights.
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
    SOLVER_PLACES = 14,      /* places in a run; the ace is at both ends */
    SOLVER_TYPES = 52,       /* suit * 13 + rank; both copies of a card have the same type */
    SOLVER_WEIGHT_MAX = 100, /* limit for one card, including its worth; keeps every sum within 16 bits */
};

/* Which melds are valid, according to the variant's row and the state of the game. */
struct eng_solver_rules {
    uint8_t place_low, place_high; /* of runs: from 0 or 1 to 12 or 13 */
    uint8_t run_max, set_max;
    uint8_t run_jokers_max, set_jokers_max; /* in one meld */
    int8_t joker_excess_max;                /* maximum of jokers - naturals in a meld */
    bool jokers_adjacent;                   /* in a run */
    uint8_t run_worth[SOLVER_PLACES];       /* worth of the card at each place, natural or joker */
    uint8_t set_worth[13];                  /* worth of one card of each rank */
};

/* What must remain in hand after laying the groups (docs/rules.md §3.1). */
enum eng_solver_keep {
    SOLVER_KEEP_NOTHING,
    SOLVER_KEEP_A_CARD, /* any card, because jokers alone may be discarded, too */
    SOLVER_KEEP_A_NATURAL,
    SOLVER_KEEP_A_THROW, /* a natural card, or a single joker and nothing else */
};

/* Maximizes: worth_factor * worth of the melds + weights of the cards that went out. */
struct eng_solver_goal {
    uint8_t worth_factor;
    int16_t weight[SOLVER_TYPES];
    int16_t joker_weight;
    uint8_t keep;      /* enum eng_solver_keep */
    uint8_t must_card; /* a natural card in hand that must be in a meld, or ENG_NO_CARD */
};

struct eng_solver_group {
    uint8_t kind; /* enum eng_meld_kind */
    uint8_t n;
    uint8_t low; /* run: place of the first card; set: the rank */
    uint8_t jokers;
    uint16_t worth;
    uint8_t cards[ENG_RUN_MAX]; /* runs in order, ready for ENG_MELD */
};

struct eng_solver_result {
    int32_t score;
    uint16_t worth; /* of all groups */
    /* false: must_card fits no meld, or no way to keep the required cards was found; nothing is grouped. */
    bool found;
    uint8_t groups_n;
    struct eng_solver_group groups[SOLVER_GROUPS_MAX];
    uint8_t left_n;
    uint8_t left[ENG_HAND_MAX]; /* ascending */
};

/* jokers_max: in one meld, from eng_jokers_max. */
void eng_solver_rules_of(struct eng_solver_rules *rules, const struct eng_params *params, int jokers_max);
/* Sets the weight of every card to its points in hand, for least deadwood. Keeps nothing. */
void eng_solver_goal_points(struct eng_solver_goal *goal, const struct eng_params *params);
/* What eng_hand_can_discard requires to remain in hand after melds; staged: below the opening minimum. */
enum eng_solver_keep eng_solver_keep_of(const struct eng_params *params, bool staged);

/* cards: distinct physical cards, at most ENG_HAND_MAX, jokers at most SOLVER_JOKERS_MAX. */
void eng_solver_best(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                     const uint8_t *cards, int n, struct eng_solver_result *result);
/* Only the score, without keep and must_card; the bots' most frequent query. */
int32_t eng_solver_score(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                         const uint8_t *cards, int n);

#endif
