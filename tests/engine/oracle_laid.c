/* Brute force for melds (oracle.h). Jokers are interchangeable, so a meld is at least one natural card and a
 * number of jokers. */
#include <string.h>

#include "tests/engine/oracle.h"

enum { ACE_HIGH = 13, MELDS = 7 * ORACLE_LOTS };

/* Some natural cards of one meld. */
struct part {
    unsigned cards; /* mask over the hand */
    int naturals, aces;
    unsigned ranks, suits;
    bool in_set, in_run; /* no two of them conflict there; aces have two places in a run */
};

struct meld {
    uint16_t cards;
    uint8_t jokers;
    int32_t value;
};

/* Cards are decided one after another from the lowest on: each stays in hand or goes out in a meld of which
 * it is the lowest. The rest depends only on which of the undecided cards are used; among equal states the
 * one with the greatest value is kept. */
struct lot {
    uint16_t cards; /* used, of those still undecided */
    uint8_t jokers;
    uint8_t flags;
};

enum { STAYS = 1 /* a natural card */, WENT_OUT = 2 /* the card that must */, FLAGS = 4 };

struct lots {
    int n;
    struct lot lot[7 * FLAGS * ORACLE_LOTS];
    int32_t value[ORACLE_LOTS][7][FLAGS]; /* the value + 1, or 0 if no lot has these cards */
};

static struct {
    const struct eng_solver_rules *rules;
    const struct eng_solver_goal *goal;
    int n, jokers; /* natural cards and jokers of the hand */
    uint8_t cards[ORACLE_CARDS];
    unsigned must; /* must go out: one of these */
    int melds_n;
    struct meld melds[MELDS]; /* whose lowest card is this one */
    struct lots lots[2];      /* before and after a card is decided */
} o;

static void part_add(struct part *p, int at, uint8_t card)
{
    unsigned rank = 1u << card % 13, suit = 1u << card % 52 / 13;

    p->in_set = p->naturals == 0 || (p->in_set && p->ranks == rank && (p->suits & suit) == 0);
    p->in_run = p->naturals == 0 || (p->in_run && p->suits == suit && (rank == 1 || (p->ranks & rank) == 0));
    p->cards |= 1u << at;
    p->naturals++;
    p->aces += rank == 1;
    p->ranks |= rank;
    p->suits |= suit;
}

static bool may_be(const struct eng_solver_rules *r, const struct part *p, int jokers, int jokers_max,
                   int cards_max)
{
    int n = p->naturals + jokers;

    return p->naturals > 0 && n >= 3 && n <= cards_max && jokers <= jokers_max &&
           jokers - p->naturals <= r->joker_excess_max;
}

static int set_worth(const struct eng_solver_rules *r, const struct part *p, int jokers)
{
    if (!p->in_set || !may_be(r, p, jokers, r->set_jokers_max, r->set_max))
        return ORACLE_NONE;
    return (p->naturals + jokers) * r->set_worth[__builtin_ctz(p->ranks)];
}

/* Whether the meld can occupy the places of `window`, each with a natural card or a joker. A single ace may
 * be at either end; two aces are at both ends. */
static inline bool stands(const struct eng_solver_rules *r, const struct part *p, unsigned window)
{
    static const unsigned first[] = {0, 1, 3}, last[] = {0, 2, 3}; /* by aces: the ends, one bit each */

    for (unsigned ends = first[p->aces]; ends <= last[p->aces]; ends++) {
        unsigned at = (p->ranks & ~1u) | (ends & 1) | (ends >> 1) << ACE_HIGH, gaps = window & ~at;
        if ((at & ~window) == 0 && (r->jokers_adjacent || (gaps & gaps << 1) == 0))
            return true;
    }
    return false;
}

/* Whether the meld is a run from place `low`. */
static inline int run_worth(const struct eng_solver_rules *r, const struct part *p, int jokers, int low)
{
    int n = p->naturals + jokers, worth = 0;

    if (low < r->place_low || low + n - 1 > r->place_high || !stands(r, p, ((1u << n) - 1) << low))
        return ORACLE_NONE;
    for (int place = low; place < low + n; place++)
        worth += r->run_worth[place];
    return worth;
}

static bool may_be_run(const struct eng_solver_rules *r, const struct part *p, int jokers)
{
    return p->in_run && may_be(r, p, jokers, r->run_jokers_max, r->run_max);
}

static int part_worth(const struct eng_solver_rules *r, const struct part *p, int jokers)
{
    int best = set_worth(r, p, jokers);

    if (!may_be_run(r, p, jokers))
        return best;
    for (int low = r->place_low; low + p->naturals + jokers - 1 <= r->place_high; low++) {
        int worth = run_worth(r, p, jokers, low);
        best = worth > best ? worth : best;
    }
    return best;
}

static int part_of(struct part *p, const uint8_t *cards, int n)
{
    int jokers = 0;

    memset(p, 0, sizeof *p);
    for (int i = 0; i < n; i++) {
        if (cards[i] >= ORACLE_JOKER)
            jokers++;
        else
            part_add(p, i, cards[i]);
    }
    return jokers;
}

int oracle_set(const struct eng_solver_rules *rules, const uint8_t *cards, int n)
{
    struct part p;
    int jokers = part_of(&p, cards, n);

    return set_worth(rules, &p, jokers);
}

int oracle_run(const struct eng_solver_rules *rules, const uint8_t *cards, int n, int low)
{
    struct part p;
    int jokers = part_of(&p, cards, n);

    return may_be_run(rules, &p, jokers) ? run_worth(rules, &p, jokers, low) : ORACLE_NONE;
}

/* Every subset with at least one more card, the next of them from number `from` up to `to`. */
static void find_melds(const struct part *p, int from, int to, int weight)
{
    for (int i = from; i < to; i++) {
        struct part more = *p;
        int heavier = weight + o.goal->weight[o.cards[i] % 52];
        part_add(&more, i, o.cards[i]);
        if (!more.in_set && !more.in_run)
            continue;
        for (int jokers = 0; jokers <= o.jokers; jokers++) {
            int worth = part_worth(o.rules, &more, jokers);
            if (worth != ORACLE_NONE)
                o.melds[o.melds_n++] = (struct meld){.cards = (uint16_t)more.cards,
                                                     .jokers = (uint8_t)jokers,
                                                     .value = worth * o.goal->worth_factor + heavier +
                                                              jokers * o.goal->joker_weight};
        }
        find_melds(&more, i + 1, o.n, heavier);
    }
}

static void put(struct lots *lots, struct lot lot, int32_t value)
{
    int32_t *best = &lots->value[lot.cards][lot.jokers][lot.flags];

    if (*best == 0)
        lots->lot[lots->n++] = lot;
    *best = value > *best ? value : *best;
}

/* Removes a lot, which exists. */
static int32_t take(struct lots *lots, struct lot lot)
{
    int32_t value = lots->value[lot.cards][lot.jokers][lot.flags];

    lots->value[lot.cards][lot.jokers][lot.flags] = 0;
    return value;
}

/* Card number i. */
static void decide(int i)
{
    struct lots *before = &o.lots[i & 1], *next = &o.lots[~i & 1];

    next->n = 0;
    for (int l = 0; l < before->n; l++) {
        struct lot lot = before->lot[l];
        int32_t value = take(before, lot);
        if (lot.cards >> i & 1) {
            lot.cards = (uint16_t)(lot.cards & ~(1u << i));
            put(next, lot, value);
            continue;
        }
        for (int m = 0; m < o.melds_n; m++) {
            struct lot more = {.cards = lot.cards | (uint16_t)(o.melds[m].cards & ~(1u << i)),
                               .jokers = lot.jokers + o.melds[m].jokers,
                               .flags = lot.flags | (o.melds[m].cards & o.must ? WENT_OUT : 0)};
            if ((lot.cards & o.melds[m].cards) == 0 && more.jokers <= o.jokers)
                put(next, more, value + o.melds[m].value);
        }
        lot.flags |= STAYS;
        put(next, lot, value);
    }
}

/* The remaining cards may stay, and the card that must go out is out. */
static bool allowed(struct lot lot)
{
    const struct eng_solver_goal *goal = o.goal;
    bool natural = lot.flags & STAYS;
    int jokers = o.jokers - lot.jokers;

    if (goal->must_card != ENG_NO_CARD && !(lot.flags & WENT_OUT))
        return false;
    return natural || goal->keep == SOLVER_KEEP_NOTHING || o.n + o.jokers == 0 ||
           (goal->keep == SOLVER_KEEP_A_CARD && jokers > 0) ||
           (goal->keep == SOLVER_KEEP_A_THROW && jokers == 1);
}

int oracle_laid(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                const uint8_t *cards, int n)
{
    int best = ORACLE_NONE;

    o.rules = rules;
    o.goal = goal;
    o.n = o.jokers = o.melds_n = 0;
    o.must = 0;
    for (int i = 0; i < n; i++) {
        if (cards[i] >= ORACLE_JOKER) {
            o.jokers++;
            continue;
        }
        o.must |= goal->must_card != ENG_NO_CARD && cards[i] % 52 == goal->must_card % 52 ? 1u << o.n : 0;
        o.cards[o.n++] = cards[i];
    }
    o.lots[0].n = 0;
    put(&o.lots[0], (struct lot){0}, 1);
    for (int i = 0; i < o.n; i++) {
        o.melds_n = 0;
        find_melds(&(struct part){0}, i, i + 1, 0);
        decide(i);
    }
    struct lots *last = &o.lots[o.n & 1];
    for (int l = 0; l < last->n; l++) {
        int32_t value = take(last, last->lot[l]) - 1;
        if (allowed(last->lot[l]) && value > best)
            best = value;
    }
    return best;
}
