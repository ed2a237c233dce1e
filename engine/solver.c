/* The exact best grouping of a hand: every useful choice of sets, rank by rank, and below each
 * the best runs of what is left, suit by suit, from solver_runs.c. Jokers are shared out last.
 *
 * A choice of sets is a node, and what its rest brings in runs is a bound of all that follow: another
 * set takes cards and jokers from the runs, so it adds at most what it brings itself, and the runs have no
 * more than they had with as many jokers less. That ends most searches after a few nodes. */
#include "engine/solver_in.h"

#include <string.h>

#include "base/bug.h"
#include "engine/meld.h"

struct node {
    uint64_t slots;             /* left to runs, 16 bits a suit */
    int32_t score;              /* of the sets chosen */
    uint8_t jokers;             /* left */
    uint8_t held, twice;        /* suits of the rank in hand */
    int16_t runs[SOLVER_LANES]; /* the best runs of the slots, by jokers */
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
    unsigned in_runs = places_in_runs(s, once, s->run_jokers_max);

    u->n = 0;
    u->suit = (uint8_t)suit;
    memset(u->at, 0, sizeof u->at);
    for (unsigned m = in_runs; m; m &= m - 1) {
        int rank = __builtin_ctz(m);
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
    ASSERT(*rows + SOLVER_LANES <= s->table + SOLVER_TABLE_MAX);
}

/* What each choice of suits of a rank brings in a set. */
static void lay_out_naturals(struct solver *s, int rank, int16_t sums[16])
{
    int worth = s->rules->set_worth[rank] * s->goal->worth_factor;

    sums[0] = 0;
    for (int suit = 0; suit < 4; suit++) {
        int card = s->goal->weight[suit * 13 + rank] + worth;
        ASSERT(s->goal->weight[suit * 13 + rank] >= 0 && card <= SOLVER_WEIGHT_MAX + 2 * SOLVER_BONUS);
        for (int mask = 0; mask < 1 << suit; mask++)
            sums[1 << suit | mask] = (int16_t)(sums[mask] + card);
    }
}

/* The ranks that can have sets, in falling order of what all of these bring. */
static void order_ranks(struct solver *s, int16_t most[13])
{
    int n = 0;

    for (int rank = 0; rank < 13; rank++) {
        unsigned held = s->held[rank], twice = s->held_twice[rank];
        int16_t sums[16];
        int at = n;
        if (held == 0 || bits4(held) + s->set_jokers_max < 3)
            continue;
        lay_out_naturals(s, rank, sums);
        int all = sums[held];
        if (bits4(held) + bits4(twice) + 2 * s->set_jokers_max >= 6) /* enough for two sets */
            all += sums[twice];
        for (; at > 0 && most[at - 1] < all; at--) {
            most[at] = most[at - 1];
            s->set_ranks[at] = s->set_ranks[at - 1];
            memcpy(s->naturals[at], s->naturals[at - 1], sizeof sums);
        }
        most[at] = (int16_t)all;
        s->set_ranks[at] = (uint8_t)rank;
        memcpy(s->naturals[at], sums, sizeof sums);
        n++;
    }
    s->set_ranks_n = (uint8_t)n;
}

/* From each rank on: what all of three suits and more bring, of those that want a joker the first and best
 * ones, and what the jokers themselves bring. */
static void lay_out_sets(struct solver *s)
{
    int16_t most[13];
    int whole = 0, wanting[13 + 1] = {0}, n = 0, worth = 0; /* wanting: sums of so many, from the last on */

    order_ranks(s, most);
    for (int i = 0; i < s->set_ranks_n; i++)
        worth = s->rules->set_worth[s->set_ranks[i]] > worth ? s->rules->set_worth[s->set_ranks[i]] : worth;
    int joker = s->goal->joker_weight + worth * s->goal->worth_factor;
    for (int i = s->set_ranks_n; i >= 0; i--) {
        if (i < s->set_ranks_n && bits4(s->held[s->set_ranks[i]]) >= 3) {
            whole += most[i];
        } else if (i < s->set_ranks_n) {
            wanting[n + 1] = wanting[n] + most[i];
            n++;
        }
        for (int j = 0; j <= s->jokers; j++) /* past the last rank: of those in hand */
            s->potential[i][j] = (int16_t)(whole + wanting[n] - wanting[n > j ? n - j : 0] + j * joker);
    }
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

    int16_t *rows = s->table + SOLVER_LANES;
    memset(s->table, 0, SOLVER_LANES * sizeof *rows);
    for (int suit = 0; suit < 4; suit++)
        lay_out_suit(s, suit, once[suit], twice[suit], &rows);
    memset(s->table + SOLVER_LANES, 0xff,
           (size_t)(rows - s->table) * sizeof *rows); /* and as much behind as in front */

    s->set_jokers_max = s->jokers < r->set_jokers_max ? s->jokers : r->set_jokers_max;
    lay_out_sets(s);
    root.jokers = s->jokers;
    for (int suit = 0; suit < 4; suit++)
        root.slots |= (uint64_t)((1u << s->suits[suit].n) - 1) << (16 * suit);
    return root;
}

/* ---- The search ---------------------------------------------------------------------------- */

/* sum[j] = greatest a[i] + b[j - i]. */
solver_lanes solver_share_jokers(int jokers, const int16_t a[SOLVER_LANES], const int16_t *b)
{
    solver_lanes sum = solver_lanes_at(b) + a[0];

    for (int i = 1; i <= jokers; i++)
        sum = solver_lanes_most(sum, solver_lanes_after(b, i) + a[i]);
    return sum;
}

/* The best runs of all suits. */
static void runs_of_all(struct solver *s, struct node *node)
{
    solver_lanes sum = {0};
    bool any = false;

    for (int suit = 0; suit < 4; suit++) {
        unsigned mask = (unsigned)(node->slots >> (16 * suit)) & 0xffff;
        if (mask == 0)
            continue;
        const int16_t *row = solver_runs_row(s, &s->suits[suit], mask);
        sum = any ? solver_share_jokers(node->jokers, node->runs, row) : solver_lanes_at(row);
        memcpy(node->runs, &sum, sizeof sum);
        any = true;
    }
    memcpy(node->runs, &sum, sizeof sum);
}

/* Looks at a choice of sets: the runs of its rest, and whether both are the best so far. */
static void look_at(struct solver *s, struct node *node)
{
    runs_of_all(s, node);
    int32_t score = node->score + node->runs[node->jokers];
    if (score <= s->best)
        return;
    s->best = score;
    s->best_slots = node->slots;
    s->best_jokers = node->jokers;
    s->best_picks_n = s->picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

/* No choice of further sets is better than this: runs as they were, with the jokers that are then left, and
 * sets with the others. */
static int32_t most_of(const int16_t runs[SOLVER_LANES], int jokers, const int16_t potential[SOLVER_ROW_MAX])
{
    int32_t most = 0;

    for (int j = 0; j <= jokers; j++) {
        int32_t both = runs[jokers - j] + potential[j];
        most = both > most ? both : most;
    }
    return most;
}

/* The node after laying a set of `suits` and `jokers` at `rank`, but for its score and runs. */
static struct node with_set(const struct solver *s, const struct node *node, int rank, unsigned suits,
                            int jokers)
{
    struct node next = {.slots = node->slots,
                        .jokers = (uint8_t)(node->jokers - jokers),
                        .held = (uint8_t)((node->held & ~suits) | (node->twice & suits)),
                        .twice = (uint8_t)(node->twice & ~suits)};

    for (; suits; suits &= suits - 1) {
        int suit = __builtin_ctz(suits);
        unsigned mine = (unsigned)(next.slots >> (16 * suit)) & s->suits[suit].at[rank];
        if (mine) /* the upper copy goes, so that equal hands have equal masks */
            next.slots &= ~((uint64_t)(1u << (31 - __builtin_clz(mine))) << (16 * suit));
    }
    return next;
}

static void search_on(struct solver *s, int from, const struct node *node);

/* All further sets of rank number i, none later in order than `first`, and what can follow each. */
static void search_sets(struct solver *s, int i, unsigned first, const struct node *node)
{
    const struct solver_rules *r = s->rules;
    int rank = s->set_ranks[i];
    int joker = s->goal->joker_weight + r->set_worth[rank] * s->goal->worth_factor;
    int set_jokers = node->jokers < r->set_jokers_max ? node->jokers : r->set_jokers_max;
    const int16_t *sums = s->naturals[i];
    int32_t later[SOLVER_ROW_MAX]; /* by the jokers of this set */

    for (int jokers = 0; jokers <= set_jokers; jokers++)
        later[jokers] = most_of(node->runs, node->jokers - jokers, s->potential[i + 1]);
    for (unsigned suits = node->held; suits; suits = (suits - 1) & node->held) {
        int naturals = bits4(suits);
        if (suits > first || naturals + set_jokers < 3)
            continue;
        unsigned held = (node->held & ~suits) | (node->twice & suits), twice = node->twice & ~suits;
        bool again = held != 0 && bits4(held) + r->set_jokers_max >= 3;
        for (int jokers = naturals < 3 ? 3 - naturals : 0;
             jokers <= set_jokers && naturals + jokers <= r->set_max; jokers++) {
            if (jokers - naturals > r->joker_excess_max)
                break;
            int32_t score = node->score + sums[suits] + jokers * joker;
            int32_t rest = again ? sums[held] + sums[twice] : 0;
            if (score + rest + later[jokers] <= s->best)
                continue;
            struct node next = with_set(s, node, rank, suits, jokers);
            next.score = score;
            s->picks[s->picks_n++] = (struct solver_pick){
                .rank = (uint8_t)rank, .suits = (uint8_t)suits, .jokers = (uint8_t)jokers};
            look_at(s, &next);
            if (again)
                search_sets(s, i, suits, &next);
            search_on(s, i + 1, &next);
            s->picks_n--;
        }
    }
}

/* Sets of the ranks from number `from` on. */
static void search_on(struct solver *s, int from, const struct node *node)
{
    for (int i = from; i < s->set_ranks_n; i++) {
        if (node->score + most_of(node->runs, node->jokers, s->potential[i]) <= s->best)
            return;
        struct node next = *node;
        next.held = s->held[s->set_ranks[i]];
        next.twice = s->held_twice[s->set_ranks[i]];
        search_sets(s, i, next.held, &next);
    }
}

void solver_search(struct solver *s, const uint8_t *cards, int n)
{
    const struct solver_rules *rules = s->rules;

    ASSERT(rules->place_low <= 1 && rules->place_high >= 12 && rules->place_high < SOLVER_PLACES);
    struct node root = lay_out(s, cards, n);
    s->best = -1;
    s->picks_n = 0;
    look_at(s, &root);
    search_on(s, 0, &root);
    ASSERT(s->best >= 0);
}
