/* Finds the exact best grouping of a hand: tries every useful choice of sets, rank by rank, and for each
 * the best runs of the remaining cards, suit by suit (runs.c). Jokers are distributed last.
 *
 * Each node of the search is a choice of sets. The sum of its runs bounds all nodes below it: another set
 * takes cards and jokers from the runs, so it adds at most its own sum, and the runs get no better with
 * fewer jokers. A second bound, the sum of all cards that can still go out, counts no card twice. Together
 * they end most searches after a few nodes. */
#include "engine/solver/solver_in.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/meld.h"

struct node {
    solver_lanes runs;   /* the best runs of the slots, by jokers */
    uint64_t slots;      /* slots left for runs, 16 bits per suit */
    int32_t score;       /* score of the chosen sets */
    int32_t reach;       /* upper limit of the score if everything left goes out */
    uint8_t jokers;      /* left */
    uint8_t held, twice; /* suits in hand of the current rank */
};

/* Number of suits in a mask. This is a hot path, and baseline x86-64 has no popcount instruction. */
static int bits4(unsigned mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15u];
}

/* One bit for each choice of one or more suits that makes a set with this many jokers. */
static unsigned enough_suits(int jokers)
{
    static const uint16_t enough[3] = {0xe880, 0xfee8, 0xfffe};
    return enough[jokers < 2 ? jokers : 2];
}

/* One bit for each subset of these suits. */
static unsigned choices_of(unsigned suits)
{
    static const uint16_t choices[16] = {0x0001, 0x0003, 0x0005, 0x000f, 0x0011, 0x0033, 0x0055, 0x00ff,
                                         0x0101, 0x0303, 0x0505, 0x0f0f, 0x1111, 0x3333, 0x5555, 0xffff};
    return choices[suits & 15u];
}

/* All slots of these suits. */
static uint64_t slots_of(unsigned suits)
{
    static const uint64_t slots[4] = {0, 0xffff, 0xffff0000, 0xffffffff};
    return slots[suits & 3u] | slots[suits >> 2 & 3u] << 32;
}

/* ---- Rules and goals of a variant ---------------------------------------------------------- */

void eng_solver_rules_of(struct eng_solver_rules *rules, const struct eng_params *params, int jokers_max)
{
    int in_set = params->jokers_set_max < jokers_max ? params->jokers_set_max : jokers_max;
    int excess = params->jokers_ratio == ENG_JOKERS_FEWER      ? -1
                 : params->jokers_ratio == ENG_JOKERS_NOT_MORE ? 0
                                                               : ENG_RUN_MAX;

    *rules = (struct eng_solver_rules){
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

void eng_solver_goal_points(struct eng_solver_goal *goal, const struct eng_params *params)
{
    *goal = (struct eng_solver_goal){.joker_weight = params->joker_points, .must_card = ENG_NO_CARD};
    for (int rank = 0; rank < ENG_RANKS; rank++) {
        int16_t points = (int16_t)eng_rank_points(params, rank);
        for (int suit = 0; suit < ENG_SUITS; suit++)
            goal->weight[suit * ENG_RANKS + rank] = points;
    }
}

enum eng_solver_keep eng_solver_keep_of(const struct eng_params *params, bool staged)
{
    if (staged)
        return SOLVER_KEEP_A_NATURAL;
    return params->joker_buried ? SOLVER_KEEP_A_CARD : SOLVER_KEEP_A_THROW;
}

/* ---- Laying out the hand ----------------------------------------------------------------- */

/* Places in any window of three that has no more gaps than there are jokers. */
static unsigned places_in_runs(const struct eng_solver *s, unsigned held, int jokers)
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

/* Determines where a run may need a joker although the natural card for the place is available. Of two
 * overlapping runs, the lower one can take the lower natural cards; then both have as many jokers as
 * before, and the jokers of the lower run move to its end. That fails only if one run lies within the
 * other. Then, at each shared place, both need a card: either two jokers or twins. So it takes three jokers
 * without twins; with a twin, a place with a joker is no farther from the twin than there are jokers. */
static enum eng_solver_skips skips_of(const struct eng_solver *s)
{
    const struct eng_solver_rules *r = s->rules;

    if (s->run_jokers_max == 0)
        return SOLVER_SKIPS_NOWHERE;
    /* No exchange is possible if adjacency matters, or if five cards and a joker are too many for one run
     * and too few for two. */
    if (!r->jokers_adjacent || r->run_max < 5)
        return SOLVER_SKIPS_ANYWHERE;
    bool limited = s->run_jokers_max < s->jokers || r->joker_excess_max < r->run_max - 2;
    if (!limited && s->goal->worth_factor == 0)
        return SOLVER_SKIPS_NOWHERE; /* weights do not depend on the places of jokers */
    return s->jokers >= 3 && s->run_jokers_max >= 2 ? SOLVER_SKIPS_ANYWHERE : SOLVER_SKIPS_NEAR_TWINS;
}

static uint16_t places_to_skip(const struct eng_solver *s, unsigned twice)
{
    unsigned all = (1u << SOLVER_PLACES) - 1, near = twice | (twice & 1u) << ENG_PLACE_ACE_HIGH;

    if (s->skips != SOLVER_SKIPS_NEAR_TWINS)
        return (uint16_t)(s->skips == SOLVER_SKIPS_ANYWHERE ? all : 0);
    for (int i = 0; near != 0 && i < s->jokers; i++)
        near |= near << 1 | near >> 1;
    return (uint16_t)(near & all);
}

/* How much more a card can add to the reach in a run than in a set. */
static int run_reach(const struct eng_solver *s, int suit, int place, bool in_sets)
{
    const struct eng_solver_rules *r = s->rules;
    int rank = place % ENG_RANKS, factor = s->goal->worth_factor, weight = s->goal->weight[suit * 13 + rank];
    int worth = rank == 0 && s->ace_twofold && r->run_worth[0] > r->run_worth[place] ? r->run_worth[0]
                                                                                     : r->run_worth[place];
    int in_set = in_sets ? weight + r->set_worth[rank] * factor : 0, in_run = weight + worth * factor;

    return in_run > in_set ? in_run - in_set : 0;
}

static void lay_out_suit(struct eng_solver *s, int suit, unsigned once, unsigned twice, unsigned set_ranks,
                         int16_t **rows)
{
    struct eng_solver_suit *u = &s->suits[suit];
    unsigned in_runs = places_in_runs(s, once, s->run_jokers_max);

    u->n = 0;
    u->twins = 0;
    u->suit = (uint8_t)suit;
    memset(u->at, 0, sizeof u->at);
    if (s->rules->place_high == ENG_PLACE_ACE_HIGH)
        in_runs = (in_runs & ~1u) | (in_runs & 1u) << ENG_PLACE_ACE_HIGH;
    for (unsigned m = in_runs; m; m &= m - 1) {
        int place = __builtin_ctz(m), rank = place % ENG_RANKS;
        int32_t reach = run_reach(s, suit, place, set_ranks >> rank & 1);
        u->twins |= (uint16_t)((twice >> rank & 1) << u->n);
        for (unsigned copies = 1 + (twice >> rank & 1); copies; copies--) {
            u->at[place] |= (uint16_t)(1u << u->n);
            u->gain[u->n] = (int16_t)(s->goal->weight[suit * 13 + rank] - s->goal->joker_weight);
            u->place[u->n++] = (uint8_t)place;
            s->reach += reach;
        }
    }
    u->at[0] |= u->at[ENG_PLACE_ACE_HIGH];
    u->skips = places_to_skip(s, twice);
    u->rows = *rows;
    *rows += (size_t)s->row_n << u->n;
    ASSERT(*rows + SOLVER_LANES <= s->table + SOLVER_TABLE_MAX);
}

/* Computes the sum of each choice of suits in a set of this rank. */
static void lay_out_naturals(const struct eng_solver *s, int rank, int16_t sums[16])
{
    static const solver_lanes with[3] = {
        {0, -1, 0, -1, 0, -1, 0, -1}, {0, 0, -1, -1, 0, 0, -1, -1}, {0, 0, 0, 0, -1, -1, -1, -1}};
    int worth = s->rules->set_worth[rank] * s->goal->worth_factor;
    solver_lanes low = {0}, high;
    int16_t card[4];

    for (int suit = 0; suit < 4; suit++) {
        card[suit] = (int16_t)(s->goal->weight[suit * 13 + rank] + worth);
        ASSERT(s->goal->weight[suit * 13 + rank] >= 0 && card[suit] <= SOLVER_WEIGHT_MAX + 2 * SOLVER_BONUS);
    }
    for (int suit = 0; suit < 3; suit++)
        low += with[suit] & card[suit];
    high = low + card[3];
    memcpy(sums, &low, sizeof low);
    memcpy(sums + SOLVER_LANES, &high, sizeof high);
}

/* The ranks with enough suits for a set with the available jokers, as a bit mask. */
static unsigned ranks_for_sets(const unsigned once[4], int jokers)
{
    unsigned one = once[0] | once[1], both = once[0] & once[1];
    unsigned other = once[2] | once[3], others = once[2] & once[3];

    if (jokers >= 2)
        return one | other;
    return jokers == 1 ? both | others | (one & other) : (both & other) | (others & one);
}

/* The suits of a rank, gathered from the bits of each suit. */
static unsigned suits_at(const unsigned masks[4], int rank)
{
    return (masks[0] >> rank & 1u) | (masks[1] >> rank & 1u) << 1 | (masks[2] >> rank & 1u) << 2 |
           (masks[3] >> rank & 1u) << 3;
}

static void lay_out_rank(const struct eng_solver *s, int rank, unsigned held, unsigned twice,
                         struct eng_solver_rank *at)
{
    lay_out_naturals(s, rank, at->naturals);
    at->rank = (uint8_t)rank;
    at->held = (uint8_t)held;
    at->twice = (uint8_t)twice;
    at->most = at->naturals[held];
    if (bits4(held) + bits4(twice) + 2 * s->set_jokers_max >= 6) /* enough for two sets */
        at->most = (int16_t)(at->most + at->naturals[twice]);
    at->slots = 0;
    at->set_only = 0;
    for (unsigned suit = 0; suit < 4; suit++) {
        uint64_t slots = s->suits[suit].at[rank];
        at->slots |= slots << (16 * suit);
        at->set_only |= (uint8_t)((slots == 0) << suit);
    }
}

/* From each rank on, the sum of all ranks with three or more suits, plus the best of those that need a
 * joker, as many as there are jokers, plus the sum of the jokers themselves. */
static void lay_out_potential(struct eng_solver *s, int joker)
{
    int whole = 0, wanting[13 + 1] = {0}, n = 0; /* wanting[n]: sum of the last n that need a joker */

    for (int i = s->set_ranks_n; i >= 0; i--) {
        int16_t *potential = s->potential[i];
        const struct eng_solver_rank *at = &s->set_ranks[i];
        if (i < s->set_ranks_n && bits4(at->held) >= 3) {
            whole += at->most;
        } else if (i < s->set_ranks_n) {
            wanting[n + 1] = wanting[n] + at->most;
            n++;
        }
        for (int j = 0; j < 2 * SOLVER_LANES; j++)
            potential[j] = SOLVER_NEVER;
        for (int j = 0; j <= s->jokers; j++) /* after the last rank, only jokers count */
            potential[SOLVER_LANES - 1 - j] =
                (int16_t)(whole + wanting[n] - wanting[n > j ? n - j : 0] + j * joker - SOLVER_LESS);
    }
}

/* Sorts the ranks that can have sets by their total, in descending order. */
static void lay_out_sets(struct eng_solver *s, const unsigned once[4], const unsigned twice[4],
                         unsigned set_ranks)
{
    int worth = 0, n = 0;

    for (; set_ranks != 0; set_ranks &= set_ranks - 1, n++) {
        int rank = __builtin_ctz(set_ranks), i = n;
        struct eng_solver_rank at;
        lay_out_rank(s, rank, suits_at(once, rank), suits_at(twice, rank), &at);
        s->reach += at.naturals[at.held] + at.naturals[at.twice];
        worth = s->rules->set_worth[rank] > worth ? s->rules->set_worth[rank] : worth;
        for (; i > 0 && s->set_ranks[i - 1].most < at.most; i--)
            s->set_ranks[i] = s->set_ranks[i - 1];
        s->set_ranks[i] = at;
    }
    s->set_ranks_n = (uint8_t)n;
    int joker = s->goal->joker_weight + worth * s->goal->worth_factor;
    s->joker_most = (int16_t)(joker > s->joker_most ? joker : s->joker_most);
    s->reach += s->jokers * s->joker_most;
    lay_out_potential(s, joker);
}

static void lay_out_places(struct eng_solver *s)
{
    const struct eng_solver_rules *r = s->rules;
    int joker = s->goal->joker_weight, factor = s->goal->worth_factor;
    int places = r->place_high - r->place_low + 1, before = 0, most = 0;
    unsigned falls = 0;

    s->run_jokers_max = s->jokers < r->run_jokers_max ? s->jokers : r->run_jokers_max;
    s->skips = (uint8_t)skips_of(s);
    s->ace_twofold = places == SOLVER_PLACES;
    s->run_max = (uint8_t)(r->run_max < places ? r->run_max : places);
    s->end_max = r->jokers_adjacent ? SOLVER_PLACES : 1;
    s->span_max = r->joker_excess_max < r->run_max - 2 ? SOLVER_PLACES : 5; /* longer ones can be split */
    s->joined[r->place_low] = 0;
    for (int place = r->place_low; place <= r->place_high; place++) {
        int worth = r->run_worth[place] * factor;
        s->joined[place + 1] = s->joined[place] + joker + worth;
        falls |= (unsigned)(worth < before) << place;
        most = worth > most ? worth : most;
        before = worth;
    }
    s->rises_from = (int8_t)(falls == 0 ? -SOLVER_PLACES : 31 - __builtin_clz(falls));
    s->joker_most = (int16_t)(joker + most);
    for (int j = 0; j < SOLVER_LANES; j++)
        s->lanes_used[j] = (int16_t)(j < s->row_n ? -1 : 0);
}

/* Initializes everything except the search state; returns the root node. */
static struct node lay_out(struct eng_solver *s, const uint8_t *cards, int n)
{
    unsigned once[4] = {0}, twice[4] = {0};
    struct node root = {0};

    ASSERT(n >= 0 && n <= ENG_HAND_MAX);
    s->jokers = 0;
    s->reach = 0;
    for (int i = 0; i < n; i++) {
        if (cards[i] >= ENG_JOKER_FIRST) {
            s->jokers++;
            continue;
        }
        int type = cards[i] % SOLVER_TYPES, suit = type / 13, rank = type % 13;
        unsigned bit = 1u << rank;
        twice[suit] |= once[suit] & bit;
        once[suit] |= bit;
    }
    ASSERT(s->jokers <= SOLVER_JOKERS_MAX);
    s->row_n = (uint8_t)(s->jokers + 1);
    s->set_jokers_max = s->jokers < s->rules->set_jokers_max ? s->jokers : s->rules->set_jokers_max;
    lay_out_places(s);

    unsigned set_ranks = ranks_for_sets(once, s->set_jokers_max);
    int16_t *rows = s->table;
    for (int suit = 0; suit < 4; suit++) {
        lay_out_suit(s, suit, once[suit], twice[suit], set_ranks, &rows);
        root.slots |= (uint64_t)((1u << s->suits[suit].n) - 1) << (16 * suit);
    }
    memset(s->table, 0xff, (size_t)(rows + SOLVER_LANES - s->table) * sizeof *rows);
    for (int suit = 0; suit < 4; suit++)
        memset(s->suits[suit].rows, 0, s->row_n * sizeof *rows); /* without cards, all sums are 0 */
    lay_out_sets(s, once, twice, set_ranks);
    root.jokers = s->jokers;
    root.reach = s->reach;
    return root;
}

/* ---- The search ---------------------------------------------------------------------------- */

static solver_lanes runs_of_all(struct eng_solver *s, uint64_t slots, int jokers)
{
    solver_lanes sum = solver_lanes_at(solver_runs_row(s, &s->suits[0], (unsigned)slots & 0xffff));

    for (int suit = 1; suit < 4; suit++) {
        unsigned mask = (unsigned)(slots >> (16 * suit)) & 0xffff;
        sum = solver_share_jokers(jokers, sum, solver_lanes_at(solver_runs_row(s, &s->suits[suit], mask)));
    }
    return sum & s->lanes_used;
}

/* Evaluates a choice of sets together with the best runs of the remaining cards; keeps it if it is the best
 * so far. */
static void evaluate(struct eng_solver *s, struct node *node)
{
    node->runs = runs_of_all(s, node->slots, node->jokers);
    int32_t score = node->score + node->runs[node->jokers];
    if (score <= s->best)
        return;
    s->best = score;
    s->best_slots = node->slots;
    s->best_jokers = node->jokers;
    s->best_picks_n = s->picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

/* Upper limit for all choices of further sets: the same runs with the jokers left, plus sets with the other
 * jokers. */
static inline int32_t most_of(solver_lanes runs, int jokers, const int16_t potential[2 * SOLVER_LANES])
{
    static const int16_t up_to[2 * SOLVER_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};

    runs &= solver_lanes_at(up_to + SOLVER_LANES - 1 - jokers);
    runs += solver_lanes_at(potential + SOLVER_LANES - 1 - jokers);
    return solver_lanes_greatest(runs) + SOLVER_LESS;
}

/* The node after a set of these suits, without score, reach, and runs. */
static inline struct node with_set(const struct node *node, const struct eng_solver_rank *at, unsigned suits,
                                   int jokers)
{
    uint64_t slots = node->slots & at->slots & slots_of(suits);

    /* the upper of two copies is used, so that equivalent hands have equal masks */
    return (struct node){.slots = node->slots & ~(slots & ~(slots >> 1)),
                         .jokers = (uint8_t)(node->jokers - jokers),
                         .held = (uint8_t)((node->held & ~suits) | (node->twice & suits)),
                         .twice = (uint8_t)(node->twice & ~suits)};
}

static void search_on(struct eng_solver *s, int from, struct node *node);

/* How much the reach decreases if no more sets of this rank follow. */
static inline int32_t lost_after(const struct eng_solver_rank *at, unsigned held, unsigned twice)
{
    return at->naturals[held & at->set_only] + at->naturals[twice & at->set_only];
}

static inline int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* Searches all further sets of rank index i whose suits are not above `first`, and everything that can
 * follow each. */
static void search_sets(struct eng_solver *s, int i, unsigned first, const struct node *node)
{
    const struct eng_solver_rules *r = s->rules;
    const struct eng_solver_rank *at = &s->set_ranks[i];
    int joker = s->goal->joker_weight + r->set_worth[at->rank] * s->goal->worth_factor;
    int set_jokers = lesser(node->jokers, r->set_jokers_max);
    unsigned left = choices_of(node->held) & enough_suits(set_jokers) & ((2u << first) - 1), suits;

    for (; left != 0; left ^= 1u << suits) {
        suits = 31u - (unsigned)__builtin_clz(left);
        int naturals = bits4(suits),
            most = lesser(lesser(set_jokers, r->set_max - naturals), r->joker_excess_max + naturals);
        unsigned held = (node->held & ~suits) | (node->twice & suits), twice = node->twice & ~suits;
        bool again = enough_suits(s->set_jokers_max) >> held & 1;
        int32_t rest = again ? at->naturals[held] + at->naturals[twice] : 0;
        int32_t lost = lost_after(at, held, twice), lost_now = again ? 0 : lost;
        for (int jokers = naturals < 3 ? 3 - naturals : 0; jokers <= most; jokers++) {
            int32_t score = node->score + at->naturals[suits] + jokers * joker;
            int32_t reach = node->reach - jokers * (s->joker_most - joker);
            if (reach - lost_now <= s->best ||
                score + rest + most_of(node->runs, node->jokers - jokers, s->potential[i + 1]) <= s->best)
                continue;
            struct node next = with_set(node, at, suits, jokers);
            next.score = score;
            next.reach = reach;
            s->picks[s->picks_n++] = (struct eng_solver_pick){
                .rank = at->rank, .suits = (uint8_t)suits, .jokers = (uint8_t)jokers};
            evaluate(s, &next);
            if (again)
                search_sets(s, i, suits, &next);
            next.reach -= lost;
            search_on(s, i + 1, &next);
            s->picks_n--;
        }
    }
}

/* Searches sets of the ranks from index `from` on. */
static void search_on(struct eng_solver *s, int from, struct node *node)
{
    for (int i = from; i < s->set_ranks_n; i++) {
        const struct eng_solver_rank *at = &s->set_ranks[i];
        if (node->reach <= s->best ||
            node->score + most_of(node->runs, node->jokers, s->potential[i]) <= s->best)
            return;
        node->held = at->held;
        node->twice = at->twice;
        search_sets(s, i, node->held, node);
        node->reach -= lost_after(at, node->held, node->twice);
    }
}

void eng_solver_search(struct eng_solver *s, const uint8_t *cards, int n)
{
    const struct eng_solver_rules *rules = s->rules;

    ASSERT(rules->place_low <= 1 && rules->place_high >= 12 && rules->place_high < SOLVER_PLACES);
    struct node root = lay_out(s, cards, n);
    s->best = -1;
    s->picks_n = 0;
    evaluate(s, &root);
    search_on(s, 0, &root);
    ASSERT(s->best >= 0);
}
