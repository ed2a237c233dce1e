/* Public entry points of the solver. Converts the best sums of solver.c to melds of physical cards, and
 * handles the constraints that need more than one search: a card to keep, and a card that must go out. */
#include "engine/solver/solver_in.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/meld.h"

/* The cards still in hand while groups are taken from it. */
struct purse {
    uint8_t copies[SOLVER_TYPES][2], copies_n[SOLVER_TYPES];
    uint8_t jokers[SOLVER_JOKERS_MAX], jokers_n;
};

static void purse_fill(struct purse *p, const uint8_t *cards, int n)
{
    memset(p, 0, sizeof *p);
    for (int i = n - 1; i >= 0; i--) {
        int type = cards[i] % SOLVER_TYPES;
        if (cards[i] >= ENG_JOKER_FIRST)
            p->jokers[p->jokers_n++] = cards[i];
        else
            p->copies[type][p->copies_n[type]++] = cards[i];
    }
}

/* Makes this one the first of two copies to go out. */
static void purse_prefer(struct purse *p, uint8_t card)
{
    uint8_t *copies = p->copies[card % SOLVER_TYPES];

    if (p->copies_n[card % SOLVER_TYPES] == 2 && copies[0] == card) {
        copies[0] = copies[1];
        copies[1] = card;
    }
}

static uint8_t purse_natural(struct purse *p, int type)
{
    ASSERT(p->copies_n[type] > 0);
    return p->copies[type][--p->copies_n[type]];
}

static uint8_t purse_joker(struct purse *p)
{
    ASSERT(p->jokers_n > 0);
    return p->jokers[--p->jokers_n];
}

static void write_set(const struct eng_solver *s, const struct eng_solver_pick *pick, struct purse *purse,
                      struct eng_solver_result *result)
{
    struct eng_solver_group *g = &result->groups[result->groups_n++];

    *g = (struct eng_solver_group){.kind = ENG_SET, .low = pick->rank, .jokers = pick->jokers};
    for (unsigned suits = pick->suits; suits; suits &= suits - 1)
        g->cards[g->n++] = purse_natural(purse, __builtin_ctz(suits) * 13 + pick->rank);
    for (int j = 0; j < pick->jokers; j++)
        g->cards[g->n++] = purse_joker(purse);
    g->worth = (uint16_t)(g->n * s->rules->set_worth[pick->rank]);
    result->worth = (uint16_t)(result->worth + g->worth);
}

static void write_run(const struct eng_solver *s, const struct eng_solver_suit *u,
                      const struct eng_solver_run *run, struct purse *purse, struct eng_solver_result *result)
{
    struct eng_solver_group *g = &result->groups[result->groups_n++];
    unsigned natural = run->ace_low | (unsigned)run->ace_high << ENG_PLACE_ACE_HIGH;

    for (unsigned m = run->slots & ~(unsigned)u->at[0]; m; m &= m - 1)
        natural |= 1u << u->place[__builtin_ctz(m)];
    *g = (struct eng_solver_group){.kind = ENG_RUN, .low = run->low, .jokers = run->jokers, .n = run->n};
    for (int i = 0; i < run->n; i++) {
        int place = run->low + i;
        g->cards[i] =
            natural >> place & 1 ? purse_natural(purse, u->suit * 13 + place % 13) : purse_joker(purse);
        g->worth = (uint16_t)(g->worth + s->rules->run_worth[place]);
    }
    result->worth = (uint16_t)(result->worth + g->worth);
}

/* Determines how the best leaf distributed its jokers among the suits, from the last suit on, and writes
 * the runs. */
static void write_runs(struct eng_solver *s, struct purse *purse, struct eng_solver_result *result)
{
    const int16_t *rows[4];
    solver_lanes before[4] = {{0}}; /* best sums of the suits before each suit */
    int jokers = s->best_jokers;

    for (int suit = 0; suit < 4; suit++) {
        rows[suit] = solver_runs_row(s, &s->suits[suit], (unsigned)(s->best_slots >> (16 * suit)) & 0xffff);
        if (suit < 3)
            before[suit + 1] = solver_share_jokers(jokers, before[suit], solver_lanes_at(rows[suit]));
    }
    int16_t all = 0;
    for (int mine = 0; mine <= jokers; mine++) {
        int16_t both = (int16_t)(rows[3][mine] + before[3][jokers - mine]);
        all = both > all ? both : all;
    }
    for (int suit = 3; suit >= 0; suit--) {
        int mine = 0;
        while (rows[suit][mine] + before[suit][jokers - mine] != all) {
            mine++;
            ASSERT(mine <= jokers);
        }
        struct eng_solver_run runs[SOLVER_GROUPS_MAX];
        int n = eng_solver_runs_trace(s, &s->suits[suit], (unsigned)(s->best_slots >> (16 * suit)) & 0xffff,
                                      mine, runs);
        for (int i = 0; i < n; i++)
            write_run(s, &s->suits[suit], &runs[i], purse, result);
        jokers -= mine;
        all = before[suit][jokers];
    }
}

/* cards: the cards searched; hand: the cards of the result, which may be a few more. */
static void write_result(struct eng_solver *s, const uint8_t *cards, int n, const uint8_t *hand, int hand_n,
                         struct eng_solver_result *result)
{
    struct purse purse;
    uint8_t used[ENG_CARD_MAX] = {0};

    memset(result, 0, sizeof *result);
    purse_fill(&purse, cards, n);
    if (s->goal->must_card != ENG_NO_CARD)
        purse_prefer(&purse, s->goal->must_card);
    result->score = s->best;
    result->found = true;
    for (int i = 0; i < s->best_picks_n; i++)
        write_set(s, &s->best_picks[i], &purse, result);
    write_runs(s, &purse, result);
    for (int g = 0; g < result->groups_n; g++) {
        for (int i = 0; i < result->groups[g].n; i++)
            used[result->groups[g].cards[i]] = 1;
    }
    for (int i = 0; i < hand_n; i++) {
        result->left[result->left_n] = hand[i];
        result->left_n = (uint8_t)(result->left_n + !used[hand[i]]);
    }
}

/* ---- Constraints ---------------------------------------------------------------------------- */

static bool same_type(uint8_t a, uint8_t b)
{
    if (a >= ENG_JOKER_FIRST || b >= ENG_JOKER_FIRST)
        return a >= ENG_JOKER_FIRST && b >= ENG_JOKER_FIRST;
    return a % SOLVER_TYPES == b % SOLVER_TYPES;
}

static int without(uint8_t *out, const uint8_t *cards, int n, int index)
{
    int kept = 0;

    for (int i = 0; i < n; i++) {
        if (i != index)
            out[kept++] = cards[i];
    }
    return kept;
}

static bool keeps(enum eng_solver_keep keep, const struct eng_solver_result *result)
{
    /* Cards are in ascending order, so a natural card comes first if there is one. */
    bool natural = result->left_n > 0 && result->left[0] < ENG_JOKER_FIRST;

    switch (keep) {
    case SOLVER_KEEP_A_CARD:
        return result->left_n > 0;
    case SOLVER_KEEP_A_NATURAL:
        return natural;
    case SOLVER_KEEP_A_THROW:
        return natural || result->left_n == 1;
    default:
        return true;
    }
}

static void nothing_found(const uint8_t *hand, int n, struct eng_solver_result *result)
{
    memset(result, 0, sizeof *result);
    result->left_n = (uint8_t)n;
    memcpy(result->left, hand, (size_t)n);
}

/* Finds the best solution in which all cards go out, if there is one, by giving each a bonus that exceeds
 * every other sum. */
static bool best_of_all(struct eng_solver *s, const uint8_t *cards, int n, const uint8_t *hand, int hand_n,
                        struct eng_solver_result *result)
{
    const struct eng_solver_goal *wish = s->goal;
    struct eng_solver_goal goal = *wish;

    for (int type = 0; type < SOLVER_TYPES; type++)
        goal.weight[type] = (int16_t)(goal.weight[type] + SOLVER_BONUS);
    goal.joker_weight = (int16_t)(goal.joker_weight + SOLVER_BONUS);
    s->goal = &goal;
    eng_solver_search(s, cards, n);
    write_result(s, cards, n, hand, hand_n, result);
    result->score -= n * SOLVER_BONUS;
    s->goal = wish;
    return result->left_n == hand_n - n;
}

/* If the best solution leaves too little, finds the best solution that leaves enough by setting each card
 * aside in turn. */
static void keep_one(struct eng_solver *s, const uint8_t *cards, int n, const uint8_t *hand, int hand_n,
                     struct eng_solver_result *result)
{
    struct eng_solver_result best;

    nothing_found(hand, hand_n, &best);
    for (int i = 0; i < n; i++) {
        uint8_t rest[ENG_HAND_MAX];
        bool seen = cards[i] == s->goal->must_card;
        for (int k = 0; k < i; k++)
            seen = seen || (cards[k] != s->goal->must_card && same_type(cards[k], cards[i]));
        if (seen)
            continue;
        without(rest, cards, n, i);
        if (s->goal->keep == SOLVER_KEEP_A_THROW && cards[i] >= ENG_JOKER_FIRST) {
            if (!best_of_all(s, rest, n - 1, hand, hand_n, result)) /* a joker remains, so nothing else may */
                continue;
        } else {
            eng_solver_search(s, rest, n - 1);
            if (best.found && s->best <= best.score)
                continue;
            write_result(s, rest, n - 1, hand, hand_n, result);
        }
        if (keeps((enum eng_solver_keep)s->goal->keep, result) && (!best.found || result->score > best.score))
            best = *result;
    }
    *result = best;
}

/* The best solution for `cards`, which are part of `hand`. */
static void best_of(struct eng_solver *s, const uint8_t *cards, int n, const uint8_t *hand, int hand_n,
                    struct eng_solver_result *result)
{
    eng_solver_search(s, cards, n);
    write_result(s, cards, n, hand, hand_n, result);
    if (n > 0 && !keeps((enum eng_solver_keep)s->goal->keep, result))
        keep_one(s, cards, n, hand, hand_n, result);
}

/* A card with a bonus that exceeds every sum of other cards goes out if possible. If the hand also holds
 * its twin, compares the best solution with both copies and the best one without the twin, because the
 * bonus must not make two copies better than one. */
static void best_with_must(struct eng_solver *s, const uint8_t *hand, int n, struct eng_solver_result *result)
{
    const struct eng_solver_goal *wish = s->goal;
    struct eng_solver_goal goal = *wish;
    int type = wish->must_card % SOLVER_TYPES, twin = -1, held = 0;
    struct eng_solver_result apart;

    ASSERT(wish->must_card < ENG_JOKER_FIRST);
    goal.weight[type] = (int16_t)(goal.weight[type] + SOLVER_BONUS);
    s->goal = &goal;
    best_of(s, hand, n, hand, n, result);
    for (int i = 0; i < n; i++) {
        if (same_type(hand[i], wish->must_card)) {
            twin = hand[i] == wish->must_card ? twin : i;
            held++;
        }
    }
    int out = held;
    for (int i = 0; i < result->left_n; i++)
        out -= same_type(result->left[i], wish->must_card);
    result->score -= out * SOLVER_BONUS;
    result->found = result->found && out > 0;
    if (held > 1) {
        uint8_t rest[ENG_HAND_MAX];
        int rest_n = without(rest, hand, n, twin);
        best_of(s, rest, rest_n, hand, n, &apart);
        apart.score -= SOLVER_BONUS;
        if (apart.found && apart.score >= 0 && (!result->found || apart.score > result->score))
            *result = apart;
    }
    s->goal = wish;
    if (!result->found)
        nothing_found(hand, n, result);
}

static void begin(struct eng_solver *s, const struct eng_solver_rules *rules,
                  const struct eng_solver_goal *goal)
{
    s->rules = rules;
    s->goal = goal;
}

void eng_solver_best(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                     const uint8_t *cards, int n, struct eng_solver_result *result)
{
    struct eng_solver s;

    begin(&s, rules, goal);
    if (goal->must_card == ENG_NO_CARD)
        best_of(&s, cards, n, cards, n, result);
    else
        best_with_must(&s, cards, n, result);
    ASSERT(result->groups_n <= SOLVER_GROUPS_MAX && result->left_n <= n);
}

int32_t eng_solver_score(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                         const uint8_t *cards, int n)
{
    struct eng_solver s;

    begin(&s, rules, goal);
    eng_solver_search(&s, cards, n);
    return s.best;
}
