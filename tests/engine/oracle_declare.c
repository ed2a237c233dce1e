/* Brute force for the Indian family (oracle.h). A wild card counts as itself only in a pure sequence, in its
 * natural place; in all other groups wild cards are interchangeable, so such a group is some natural cards
 * and a number of wild ones. Groups of only wild cards are skipped, because wild cards never count
 * points. */
#include <string.h>

#include "tests/engine/oracle.h"

enum {
    NEVER = 10000,
    SEQUENCE_MAX = 13,
    GROUPS = (ORACLE_CARDS + 1) * ORACLE_LOTS,
    STATES = 6, /* of a lot: 3 * has a pure sequence + sequences (2 means 2 or more) */
    AS_JOKER = -1,
};

enum kind { SET, SEQUENCE, PURE };

/* Some cards of one group, each as itself. */
struct part {
    unsigned cards; /* mask over the hand */
    int n, wild;
    unsigned ranks, suits;
    bool in_set, in_run; /* no two of them conflict there */
};

/* A group, or a lot of cards that go out in several groups. */
struct lot {
    uint16_t cards; /* cards used as themselves */
    uint8_t wild;   /* number of wild cards used, including these */
    uint8_t kind;   /* of a group */
};

static struct {
    int n, naturals;             /* cards that can be used as themselves, of these not wild */
    int wild;                    /* total number of wild cards */
    uint8_t cards[ORACLE_CARDS]; /* the n, natural ones first */
    int points[ORACLE_CARDS], points_all;
    int place[ORACLE_CARDS]; /* for each card in its original order: index among the n, or AS_JOKER */
    int groups_n, lots_n;
    struct lot groups[GROUPS], lots[GROUPS];
    uint8_t next[3][1 << STATES]; /* states_after, for any state */
    /* Possible states of a lot of these cards, one bit each; 0: no lot has these cards. */
    uint8_t states[ORACLE_LOTS][ORACLE_CARDS + 1];
} o;

static void part_add(struct part *p, int at, uint8_t card, bool wild)
{
    unsigned rank = 1u << card % 13, suit = 1u << card % 52 / 13;

    p->in_set = !wild && (p->n == 0 || (p->in_set && p->ranks == rank && (p->suits & suit) == 0));
    p->in_run = p->n == 0 || (p->in_run && p->suits == suit && (p->ranks & rank) == 0);
    p->cards |= 1u << at;
    p->n++;
    p->wild += wild;
    p->ranks |= rank;
    p->suits |= suit;
}

/* Whether the cards are a sequence with this many jokers, from some place on. The ace follows the king
 * unless the sequence begins with it. */
static bool is_sequence(const struct part *p, int jokers)
{
    int n = p->n + jokers;

    for (int low = 0; p->in_run && n >= 3 && n <= SEQUENCE_MAX && low + n <= 14; low++) {
        unsigned ace = p->ranks & 1, at = low > 0 ? (p->ranks & ~1u) | ace << 13 : p->ranks;
        if ((at & ~(((1u << n) - 1) << low)) == 0)
            return true;
    }
    return false;
}

static bool is_set(const struct part *p, int jokers)
{
    return p->in_set && p->n + jokers >= 3;
}

static void add_group(const struct part *p, int jokers, enum kind kind)
{
    o.groups[o.groups_n++] =
        (struct lot){.cards = (uint16_t)p->cards, .wild = (uint8_t)(p->wild + jokers), .kind = (uint8_t)kind};
}

/* Uses no more jokers than needed, because an unused one never counts points. */
static void add_with_jokers(const struct part *p, enum kind kind,
                            bool (*is)(const struct part *p, int jokers))
{
    for (int jokers = 0; jokers <= o.wild; jokers++) {
        if (is(p, jokers)) {
            add_group(p, jokers, kind);
            return;
        }
    }
}

/* Every subset with at least one card from number `from` on, in ascending order of its lowest card, which is
 * natural. */
static void find_groups(const struct part *p, int from)
{
    for (int i = from; i < (p->n == 0 ? o.naturals : o.n); i++) {
        struct part more = *p;
        part_add(&more, i, o.cards[i], i >= o.naturals);
        if (!more.in_set && !more.in_run)
            continue;
        if (is_sequence(&more, 0))
            add_group(&more, 0, PURE);
        else if (more.wild == 0)
            add_with_jokers(&more, SEQUENCE, is_sequence);
        if (more.in_set)
            add_with_jokers(&more, SET, is_set);
        find_groups(&more, i + 1);
    }
}

/* Possible states of a lot after one more group of a kind, without those dominated by another one. */
static uint8_t states_after(uint8_t states, enum kind kind)
{
    static const uint8_t after[3][STATES] = {{0, 1, 2, 3, 4, 5}, {1, 2, 2, 4, 5, 5}, {4, 5, 5, 4, 5, 5}},
                         less[STATES] = {000, 001, 003, 001, 013, 037};
    unsigned next = 0;

    for (int s = 0; s < STATES; s++)
        next |= states >> s & 1 ? 1u << after[kind][s] : 0;
    for (int s = 0; s < STATES; s++)
        next &= next >> s & 1 ? ~(unsigned)less[s] : ~0u;
    return (uint8_t)next;
}

/* Combines each group with every lot of earlier groups that does not use its cards. This enumerates every
 * way to divide some cards into groups, in the order of their lowest cards. */
static void find_lots(void)
{
    o.lots_n = 1;
    o.lots[0] = (struct lot){0};
    o.states[0][0] = 1;
    for (int g = 0; g < o.groups_n; g++) {
        struct lot group = o.groups[g];
        for (int l = 0, before = o.lots_n; l < before; l++) {
            struct lot lot = o.lots[l];
            uint8_t states = o.next[group.kind][o.states[lot.cards][lot.wild]];
            if ((lot.cards & group.cards) != 0)
                continue;
            lot.cards |= group.cards;
            lot.wild = (uint8_t)(lot.wild + group.wild);
            if (lot.wild > o.wild)
                continue;
            uint8_t *have = &o.states[lot.cards][lot.wild];
            if (*have == 0)
                o.lots[o.lots_n++] = lot;
            *have |= states;
        }
    }
}

static void clear(void)
{
    for (int l = 0; l < o.lots_n; l++)
        o.states[o.lots[l].cards][o.lots[l].wild] = 0;
    for (unsigned states = 0; states < 1u << STATES && o.lots_n == 0; states++)
        for (int kind = SET; kind <= PURE; kind++)
            o.next[kind][states] = states_after((uint8_t)states, (enum kind)kind);
}

static int points_but(unsigned cards)
{
    int points = o.points_all;

    for (; cards != 0; cards &= cards - 1)
        points -= o.points[__builtin_ctz(cards)];
    return points;
}

/* The fewest points of all lots, by level, for a hand without some of the n cards and `wild` wild cards. */
static struct oracle_says says(unsigned gone, int wild)
{
    struct oracle_says best = {.level = 0, .loose = NEVER};

    for (int l = 0; l < o.lots_n; l++) {
        const struct lot *lot = &o.lots[l];
        uint8_t states = o.states[lot->cards][lot->wild];
        int level = states >> 5 ? 2 : states >> 3 ? 1 : 0, loose = points_but(lot->cards | gone);
        if ((lot->cards & gone) != 0 || lot->wild + wild > o.wild || level < best.level)
            continue;
        if (level > best.level || loose < best.loose)
            best.loose = loose;
        best.level = level;
    }
    best.points = best.level == 2 ? best.loose : points_but(gone);
    return best;
}

struct oracle_says oracle_declare_without(int i)
{
    int at = o.place[i];

    return says(at == AS_JOKER ? 0 : 1u << at, at == AS_JOKER || at >= o.naturals);
}

/* The turned-up card makes its rank wild, a printed joker the aces. */
static bool is_wild(const struct eng_wild *wild, uint8_t card)
{
    int rank = wild->card == ENG_NO_CARD ? -1 : wild->card >= ORACLE_JOKER ? 0 : wild->card % 13;

    return card % 13 == rank && (!wild->exact || wild->card >= ORACLE_JOKER || wild->card % 52 == card % 52);
}

static void take(const struct eng_wild *wild, const uint8_t *cards, int n, bool are_wild)
{
    for (int i = 0; i < n; i++) {
        if (cards[i] >= ORACLE_JOKER || is_wild(wild, cards[i]) != are_wild)
            continue;
        int rank = cards[i] % 13;
        o.points[o.n] = are_wild ? 0 : rank == 0 || rank > 9 ? 10 : rank + 1;
        o.points_all += o.points[o.n];
        o.place[i] = o.n;
        o.cards[o.n++] = cards[i];
    }
}

struct oracle_says oracle_declare(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    clear();
    o.n = o.points_all = o.groups_n = 0;
    for (int i = 0; i < n; i++)
        o.place[i] = AS_JOKER;
    take(wild, cards, n, false);
    o.naturals = o.n;
    o.wild = n - o.n;
    if (wild->natural_pure)
        take(wild, cards, n, true);
    find_groups(&(struct part){0}, 0);
    find_lots();
    return says(0, 0);
}
