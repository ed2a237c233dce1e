/* The exact best grouping of a hand: every useful choice of sets, rank by rank, and below each
 * the best runs of what is left, suit by suit, from solver_runs.c. Jokers are shared out last.
 *
 * A branch is left when even covering every card that could still be covered would not beat
 * the best so far, which ends most searches at the first leaf. */
#include "engine/solver_in.h"

#include <string.h>

#include "base/bug.h"
#include "engine/meld.h"

struct node {
    uint64_t slots;           /* left to runs, 16 bits a suit */
    int32_t score;            /* of the sets chosen */
    int32_t potential, needy; /* of the cards that may still go out, of those that want a joker for it */
    uint8_t jokers;           /* left */
    uint8_t held, twice;      /* suits of the rank in hand */
};

/* Suits in a mask. The instruction is not in the base x86-64 set, and this is asked everywhere. */
static int bits4(unsigned mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15u];
}

/* ---- Rules and goals of a variant ---------------------------------------------------------- */

void solver_rules_of(struct solver_rules *rules, const struct eng_params *params, int jokers_max)
{
    int in_set = params->jokers_set_max < jokers_max ? params->jokers_set_max : jokers_max;
    int excess = params->jokers_ratio == ENG_JOKERS_FEWER      ? -1
                 : params->jokers_ratio == ENG_JOKERS_NOT_MORE ? 0
                                                               : ENG_RUN_MAX;

    *rules = (struct solver_rules){
        .place_low = params->ace_low ? 0 : 1,
        .place_high = params->ace_high ? ENG_PLACE_ACE_HIGH : ENG_RANK_KING,
        .run_max = (uint8_t)params->run_max,
        .set_max = (uint8_t)params->set_max,
        .run_jokers_max = (uint8_t)jokers_max,
        .set_jokers_max = (uint8_t)in_set,
        .joker_excess_max = (int8_t)excess,
        .jokers_adjacent = !params->jokers_apart,
    };
    for (int place = 0; place < SOLVER_PLACES; place++)
        rules->run_worth[place] = (uint8_t)eng_place_points(params, place);
    for (int rank = 0; rank < ENG_RANKS; rank++)
        rules->set_worth[rank] = (uint8_t)eng_rank_points(params, rank);
}

void solver_goal_points(struct solver_goal *goal, const struct eng_params *params)
{
    *goal = (struct solver_goal){.joker_weight = params->joker_points, .must_card = ENG_NO_CARD};
    for (int type = 0; type < SOLVER_TYPES; type++)
        goal->weight[type] = (int16_t)eng_rank_points(params, type % ENG_RANKS);
}

enum solver_keep solver_keep_of(const struct eng_params *params, bool staged)
{
    if (staged)
        return SOLVER_KEEP_A_NATURAL;
    return params->joker_buried ? SOLVER_KEEP_A_CARD : SOLVER_KEEP_A_THROW;
}

/* ---- Laying out the hand ----------------------------------------------------------------- */

/* Places that lie in some window of three with few enough gaps for the jokers. */
static unsigned places_in_runs(const struct solver *s, unsigned held, int jokers)
{
    unsigned p = held | (held & 1u) << 13, starts;
    unsigned window = (1u << (s->rules->place_high - 1)) - (1u << s->rules->place_low);

    p &= (2u << s->rules->place_high) - (1u << s->rules->place_low);
    if (jokers == 0)
        starts = p & p >> 1 & p >> 2;
    else if (jokers == 1)
        starts = (p & p >> 1) | (p & p >> 2) | (p >> 1 & p >> 2);
    else
        starts = p | p >> 1 | p >> 2;
    starts &= window;
    unsigned in = (starts | starts << 1 | starts << 2) & p;
    return (in | in >> 13) & 0x1fff;
}

/* Where may a run want a joker in the place of a natural card that is at hand? Of two runs that
 * overlap, the lower one can be given the lower naturals: the jokers of both stay as many, and its
 * own come to stand at its end. That fails only for a run that lies within another. At each place
 * they share both want a card, so that is jokers of the two or a twin: without twins it takes three
 * jokers, and a place with a joker is no farther from a twin than there are jokers. */
static uint16_t places_to_skip(const struct solver *s, unsigned twice)
{
    const struct solver_rules *r = s->rules;
    unsigned all = (1u << SOLVER_PLACES) - 1, near = twice | (twice & 1u) << ENG_PLACE_ACE_HIGH;

    if (s->run_jokers_max == 0)
        return 0;
    if (!r->jokers_adjacent) /* what stands beside what matters: nothing can be exchanged */
        return (uint16_t)all;
    bool limited = s->run_jokers_max < s->jokers || r->joker_excess_max < r->run_max - 2;
    if (!limited && s->goal->worth_factor == 0)
        return 0; /* weights do not ask where a joker stands */
    if (s->jokers >= 3 && s->run_jokers_max >= 2)
        return (uint16_t)all;
    for (int i = 0; i < s->jokers; i++)
        near |= near << 1 | near >> 1;
    return (uint16_t)(near & all);
}

static void lay_out_suit(struct solver *s, int suit, unsigned once, unsigned twice, int16_t **rows)
{
    struct solver_suit *u = &s->suits[suit];
    unsigned in_runs = places_in_runs(s, once, s->run_jokers_max), plain = places_in_runs(s, once, 0);

    u->n = 0;
    u->suit = (uint8_t)suit;
    memset(u->at, 0, sizeof u->at);
    for (unsigned m = in_runs; m; m &= m - 1) {
        int rank = __builtin_ctz(m);
        s->in_runs[rank] |= (uint8_t)(1u << suit);
        s->in_plain_runs[rank] |= (uint8_t)((plain >> rank & 1) << suit);
        for (unsigned copies = 1 + (twice >> rank & 1); copies; copies--) {
            u->at[rank] |= (uint16_t)(1u << u->n);
            u->weight[u->n] = s->goal->weight[suit * 13 + rank];
            u->rank[u->n++] = (uint8_t)rank;
        }
    }
    u->at[13] = u->at[0];
    u->skips = places_to_skip(s, twice);
    u->rows = *rows;
    *rows += (size_t)s->row_n << u->n;
    ASSERT(*rows <= s->table + SOLVER_TABLE_MAX);
}

/* The most that each suit set of a rank can bring, as a table by mask. */
static void lay_out_potential(struct solver *s, int rank)
{
    int worth = s->rules->set_worth[rank];
    int16_t *sums = s->potential[rank];

    if (s->rules->run_worth[rank] > worth)
        worth = s->rules->run_worth[rank];
    if (rank == 0 && s->rules->run_worth[13] > worth)
        worth = s->rules->run_worth[13];
    sums[0] = 0;
    for (int suit = 0; suit < 4; suit++) {
        int most = s->goal->weight[suit * 13 + rank] + worth * s->goal->worth_factor;
        ASSERT(s->goal->weight[suit * 13 + rank] >= 0 && most <= SOLVER_WEIGHT_MAX + 2 * SOLVER_BONUS);
        for (int mask = 0; mask < 1 << suit; mask++)
            sums[1 << suit | mask] = (int16_t)(sums[mask] + most);
    }
}

/* Of the cards of these suits, twins included. */
static int32_t potential_of(const struct solver *s, int rank, unsigned suits, unsigned twice)
{
    return s->potential[rank][suits] + s->potential[rank][suits & twice];
}

/* The most that one joker can bring: it stands in a set of some rank, or in a run not farther from
 * a natural card than a run has jokers. */
static int32_t joker_potential(const struct solver *s)
{
    unsigned places = 0;
    int worth = 0;

    if (s->goal->worth_factor == 0)
        return s->goal->joker_weight;
    for (int rank = 0; rank < 13; rank++)
        places |= s->held[rank] ? 1u << rank : 0;
    places |= (places & 1) << ENG_PLACE_ACE_HIGH;
    for (int rank = 0; rank < 13; rank++) {
        if ((places >> rank & 1) && s->rules->set_worth[rank] > worth)
            worth = s->rules->set_worth[rank];
    }
    for (int i = 0; i < s->run_jokers_max; i++)
        places |= places << 1 | places >> 1;
    for (int place = 0; place < SOLVER_PLACES; place++) {
        if ((places >> place & 1) && s->rules->run_worth[place] > worth)
            worth = s->rules->run_worth[place];
    }
    return s->goal->joker_weight + worth * s->goal->worth_factor;
}

/* Fills everything but the search state; returns the root. */
static struct node lay_out(struct solver *s, const uint8_t *cards, int n)
{
    unsigned once[4] = {0}, twice[4] = {0};
    struct node root = {0};

    ASSERT(n >= 0 && n <= ENG_HAND_MAX);
    s->jokers = 0;
    memset(s->held, 0, sizeof s->held);
    memset(s->held_twice, 0, sizeof s->held_twice);
    memset(s->in_runs, 0, sizeof s->in_runs);
    memset(s->in_plain_runs, 0, sizeof s->in_plain_runs);
    for (int i = 0; i < n; i++) {
        if (cards[i] >= ENG_JOKER_FIRST) {
            s->jokers++;
            continue;
        }
        int type = cards[i] % SOLVER_TYPES, suit = type / 13, rank = type % 13;
        unsigned bit = 1u << rank;
        if (once[suit] & bit)
            s->held_twice[rank] |= (uint8_t)(1u << suit);
        twice[suit] |= once[suit] & bit;
        once[suit] |= bit;
        s->held[rank] |= (uint8_t)(1u << suit);
    }
    ASSERT(s->jokers <= SOLVER_JOKERS_MAX);
    s->row_n = (uint8_t)(s->jokers + 1);
    const struct solver_rules *r = s->rules;
    s->run_jokers_max = s->jokers < r->run_jokers_max ? s->jokers : r->run_jokers_max;
    s->worth_below[0] = 0;
    for (int place = 0; place < SOLVER_PLACES; place++)
        s->worth_below[place + 1] = (uint16_t)(s->worth_below[place] + r->run_worth[place]);

    int16_t *rows = s->table;
    for (int suit = 0; suit < 4; suit++)
        lay_out_suit(s, suit, once[suit], twice[suit], &rows);
    memset(s->table, 0xff, (size_t)(rows - s->table) * sizeof *rows);

    int set_jokers = s->jokers < r->set_jokers_max ? s->jokers : r->set_jokers_max;
    s->set_ranks_n = 0;
    root.jokers = s->jokers;
    for (int rank = 0; rank < 13; rank++) {
        bool in_set = s->held[rank] && bits4(s->held[rank]) + set_jokers >= 3;
        if (in_set)
            s->set_ranks[s->set_ranks_n++] = (uint8_t)rank;
        unsigned useful = in_set ? 15u : s->in_runs[rank];
        if ((s->held[rank] & useful) == 0)
            continue;
        lay_out_potential(s, rank);
        unsigned needy = bits4(s->held[rank]) >= 3 ? 0 : useful & ~(unsigned)s->in_plain_runs[rank];
        s->needy[rank] = (uint8_t)needy;
        root.potential += potential_of(s, rank, s->held[rank] & useful & ~needy, s->held_twice[rank]);
        root.needy += potential_of(s, rank, s->held[rank] & needy, s->held_twice[rank]);
    }
    for (int suit = 0; suit < 4; suit++)
        root.slots |= (uint64_t)((1u << s->suits[suit].n) - 1) << (16 * suit);
    return root;
}

/* ---- The search ---------------------------------------------------------------------------- */

/* sum[j] = greatest a[i] + b[j - i]. */
static void share_jokers(int n, const int16_t *a, const int16_t *b, int16_t *sum)
{
    for (int j = 0; j < n; j++) {
        int most = 0;
        for (int i = 0; i <= j; i++) {
            int both = a[i] + b[j - i];
            most = both > most ? both : most;
        }
        sum[j] = (int16_t)most;
    }
}

int32_t solver_runs_of_all(struct solver *s, uint64_t slots, int jokers)
{
    int16_t sums[2][SOLVER_ROW_MAX];
    const int16_t *all = NULL;
    int flip = 0;

    for (int suit = 0; suit < 4; suit++) {
        unsigned mask = (unsigned)(slots >> (16 * suit)) & 0xffff;
        if (mask == 0)
            continue;
        const int16_t *row = solver_runs_row(s, &s->suits[suit], mask);
        if (all) {
            share_jokers(jokers + 1, all, row, sums[flip]);
            all = sums[flip];
            flip ^= 1;
        } else {
            all = row;
        }
    }
    return all ? all[jokers] : 0;
}

static void leaf(struct solver *s, const struct node *node)
{
    int32_t score = node->score + solver_runs_of_all(s, node->slots, node->jokers);

    if (score <= s->best)
        return;
    s->best = score;
    s->best_slots = node->slots;
    s->best_jokers = node->jokers;
    s->best_picks_n = s->picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

/* No leaf below the node is better than this. */
static int32_t most_below(const struct node *node, int32_t joker_most)
{
    int32_t most = node->score + node->potential;

    return node->jokers ? most + node->needy + node->jokers * joker_most : most;
}

/* The node after laying a set of `suits` and `jokers` at `rank`. */
static struct node with_set(const struct solver *s, const struct node *node, int rank, unsigned suits,
                            int jokers)
{
    struct node next = *node;
    int size = bits4(suits) + jokers;

    next.jokers = (uint8_t)(node->jokers - jokers);
    next.score += jokers * s->goal->joker_weight + size * s->rules->set_worth[rank] * s->goal->worth_factor;
    next.potential -= s->potential[rank][suits & ~(unsigned)s->needy[rank]];
    next.needy -= s->potential[rank][suits & s->needy[rank]];
    next.held = (uint8_t)((node->held & ~suits) | (node->twice & suits));
    next.twice = (uint8_t)(node->twice & ~suits);
    for (; suits; suits &= suits - 1) {
        int suit = __builtin_ctz(suits);
        next.score += s->goal->weight[suit * 13 + rank];
        unsigned mine = (unsigned)(next.slots >> (16 * suit)) & s->suits[suit].at[rank];
        if (mine) /* the upper copy goes, so that equal hands have equal masks */
            next.slots &= ~((uint64_t)(1u << (31 - __builtin_clz(mine))) << (16 * suit));
    }
    return next;
}

static void search_rank(struct solver *s, int i, const struct node *node, int32_t joker_most);

/* Ends the choice of sets at rank number i. `picked` of them were laid at it. A card that fits no
 * run and could still join one of these sets, or three that could make one, would be left for
 * nothing: the branch that takes them is at least as good. */
static void search_on(struct solver *s, int i, int picked, const struct node *node, int32_t joker_most)
{
    int rank = s->set_ranks[i];
    unsigned runs = node->jokers ? s->in_runs[rank] : s->in_plain_runs[rank];
    unsigned needy = s->needy[rank], dead = node->held & ~runs;

    if (dead) {
        if (bits4(dead) >= 3)
            return;
        for (int k = s->picks_n - picked; k < s->picks_n; k++) {
            const struct solver_pick *pick = &s->picks[k];
            if (bits4(pick->suits) + pick->jokers < s->rules->set_max && (dead & ~(unsigned)pick->suits))
                return;
        }
    }
    struct node next = *node;
    unsigned became = node->held & runs & ~needy & ~(unsigned)s->in_plain_runs[rank];
    next.potential -= potential_of(s, rank, (dead | became) & ~needy, node->twice);
    next.needy +=
        potential_of(s, rank, became, node->twice) - potential_of(s, rank, dead & needy, node->twice);
    search_rank(s, i + 1, &next, joker_most);
}

/* All further sets of rank number i, none later in order than `first`, then the ranks after it. */
static void search_sets(struct solver *s, int i, int picked, unsigned first, const struct node *node,
                        int32_t joker_most)
{
    const struct solver_rules *r = s->rules;
    int rank = s->set_ranks[i];
    int set_jokers = node->jokers < r->set_jokers_max ? node->jokers : r->set_jokers_max;

    for (unsigned suits = node->held; suits && bits4(node->held) + set_jokers >= 3;
         suits = (suits - 1) & node->held) {
        int naturals = bits4(suits);
        if (suits > first)
            continue;
        for (int jokers = naturals < 3 ? 3 - naturals : 0;
             jokers <= set_jokers && naturals + jokers <= r->set_max; jokers++) {
            if (jokers - naturals > r->joker_excess_max)
                break;
            struct node next = with_set(s, node, rank, suits, jokers);
            if (most_below(&next, joker_most) <= s->best)
                continue;
            s->picks[s->picks_n++] = (struct solver_pick){
                .rank = (uint8_t)rank, .suits = (uint8_t)suits, .jokers = (uint8_t)jokers};
            search_sets(s, i, picked + 1, suits, &next, joker_most);
            s->picks_n--;
        }
    }
    search_on(s, i, picked, node, joker_most);
}

static void search_rank(struct solver *s, int i, const struct node *node, int32_t joker_most)
{
    if (most_below(node, joker_most) <= s->best)
        return;
    if (i == s->set_ranks_n) {
        leaf(s, node);
        return;
    }
    struct node next = *node;
    next.held = s->held[s->set_ranks[i]];
    next.twice = s->held_twice[s->set_ranks[i]];
    search_sets(s, i, 0, next.held, &next, joker_most);
}

void solver_search(struct solver *s, const uint8_t *cards, int n)
{
    const struct solver_rules *rules = s->rules;

    ASSERT(rules->place_low <= 1 && rules->place_high >= 12 && rules->place_high < SOLVER_PLACES);
    struct node root = lay_out(s, cards, n);
    s->best = -1;
    s->picks_n = 0;
    search_rank(s, 0, &root, joker_potential(s));
    ASSERT(s->best >= 0);
}
