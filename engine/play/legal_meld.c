/* eng_legal's melds: every set and every run that the hand can lay now, with jokers in all allowed places.
 * Only one of two equal cards is used, and all jokers are equivalent; the discard just taken and jokers
 * from swaps come first, because they may have to be used. */
#include "engine/play/legal_meld.h"

#include <string.h>

#include "base/bug.h"
#include "engine/play/legal_add.h"

struct melds {
    struct eng_legal *legal;
    const struct eng_legal_scene *scene;
    struct eng_solver_rules rules;
    uint64_t once, twice; /* card types in hand: at least once, twice */
    int throwable;        /* natural cards that may be discarded; while one remains, any meld may be laid */
    int jokers;
    uint8_t joker[ENG_JOKER_MAX]; /* in the order in which they are used */
    uint8_t cards[ENG_RUN_MAX];   /* the meld being built */
};

/* A run being built: its suit, and the places for which the hand has cards. */
struct run {
    int suit, low, jokers_max;
    unsigned have;
    bool two_aces;
};

/* ---- Choosing physical cards ---- */

/* The card of this type. first: the copy to be used first; otherwise the other copy. */
static uint8_t card_of(const struct melds *m, int type, bool first)
{
    uint8_t taken = m->scene->taken;
    ASSERT(type < ENG_PACK_CARDS && (m->once >> type & 1) != 0);
    uint8_t lower = (uint8_t)type, upper = (uint8_t)(type + ENG_PACK_CARDS);
    if ((m->twice >> type & 1) == 0)
        return eng_cards_has(&m->scene->hand, lower) ? lower : upper;
    return (upper == taken) == first ? upper : lower;
}

static void take_jokers(struct melds *m)
{
    const struct eng_legal_scene *s = m->scene;
    ASSERT(s->view->phase == ENG_TO_PLAY);
    m->jokers = 0;
    for (int swapped = 1; swapped >= 0 && (s->hand.w[1] & ENG_JOKER_MASK) != 0; swapped--) {
        for (int j = 0; j < ENG_JOKER_MAX; j++) {
            uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + j);
            if (eng_cards_has(&s->hand, joker) && (s->view->freed_meld[j] != ENG_NO_MELD) == swapped)
                m->joker[m->jokers++] = joker;
        }
    }
}

/* ---- One meld ---- */

/* Whether the remaining hand can end the turn. low: the run's first place, or -1 for a set. */
static bool leaves_a_throw(const struct melds *m, int n, int jokers, int low)
{
    const struct eng_legal_scene *s = m->scene;
    ASSERT(n >= ENG_MELD_MIN && jokers <= m->jokers);
    if (n - jokers < m->throwable)
        return true;
    struct eng_cards rest = s->hand;
    int sum = s->view->staged_sum;
    for (int i = 0; i < n; i++) {
        eng_cards_remove(&rest, m->cards[i]);
        sum += low < 0 ? m->rules.set_worth[eng_rank(m->cards[0])] : m->rules.run_worth[low + i];
    }
    bool taken_out =
        !s->view->must_open || !s->params->taken_discard_in_opening || !eng_cards_has(&rest, s->taken);
    bool opens = sum >= s->view->opening_min && taken_out;
    return eng_hand_can_discard(s->params, &rest, !s->opened && !opens, s->taken);
}

/* ---- Sets ---- */

/* Lists sets of these suits, with jokers for missing ones. */
static void list_sets_with(struct melds *m, int rank, unsigned suits)
{
    int naturals = 0, jokers_max = m->jokers < m->rules.set_jokers_max ? m->jokers : m->rules.set_jokers_max;

    ASSERT(suits < 1u << ENG_SUITS && (suits & (suits - 1)) != 0);
    for (unsigned left = suits; left != 0; left &= left - 1)
        m->cards[naturals++] = card_of(m, __builtin_ctz(left) * ENG_RANKS + rank, true);
    for (int jokers = 0; jokers <= jokers_max && naturals + jokers <= m->rules.set_max; jokers++) {
        int n = naturals + jokers;
        if (jokers > 0)
            m->cards[n - 1] = m->joker[jokers - 1];
        bool enough = n >= ENG_MELD_MIN && 2 * jokers - n <= m->rules.joker_excess_max;
        if (enough && leaves_a_throw(m, n, jokers, -1))
            eng_legal_add(m->legal, ENG_MELD, ENG_NO_MELD, ENG_END_NONE, m->cards, n);
    }
}

/* Lists sets for every choice of two or more available suits. */
static void list_sets(struct melds *m, unsigned ranks)
{
    ASSERT(ranks < 1u << ENG_RANKS);
    for (; ranks != 0; ranks &= ranks - 1) {
        int rank = __builtin_ctz(ranks);
        unsigned have = 0;
        for (int suit = 0; suit < ENG_SUITS; suit++)
            have |= (unsigned)(m->once >> (suit * ENG_RANKS + rank) & 1) << suit;
        for (unsigned suits = have; suits != 0; suits = (suits - 1) & have)
            if ((suits & (suits - 1)) != 0)
                list_sets_with(m, rank, suits);
    }
}

/* ---- Runs ---- */

static unsigned ranks_of(const struct melds *m, int suit)
{
    ASSERT(suit < ENG_SUITS && (m->once & ~ENG_PACK_MASK) == 0);
    return (unsigned)(m->once >> (suit * ENG_RANKS)) & ((1u << ENG_RANKS) - 1);
}

static uint8_t natural_at(const struct melds *m, const struct run *run, int place, bool first)
{
    ASSERT((run->have >> place & 1) != 0);
    return card_of(m, run->suit * ENG_RANKS + place % ENG_RANKS, first);
}

static void list_runs_from(struct melds *m, const struct run *run, int n, int jokers);

/* Adds the run of n cards, some of them jokers, and extends it if the next place accepts a card and enough
 * natural cards can follow. */
static void list_run(struct melds *m, const struct run *run, int n, int jokers)
{
    unsigned next = run->have >> (run->low + n);
    int excess = 2 * jokers - n - m->rules.joker_excess_max;

    ASSERT(n >= ENG_MELD_MIN && n <= ENG_RUN_MAX && jokers <= run->jokers_max);
    if (excess <= 0 && n > jokers && leaves_a_throw(m, n, jokers, run->low))
        eng_legal_add(m->legal, ENG_MELD, ENG_NO_MELD, ENG_END_NONE, m->cards, n);
    if (run->low + n > m->rules.place_high || n == m->rules.run_max || m->legal->more)
        return;
    if ((jokers < run->jokers_max || (next & 1) != 0) && (excess <= 0 || excess <= __builtin_popcount(next)))
        list_runs_from(m, run, n, jokers);
}

/* Extends the run with each card that can follow the first n: the natural card, and a joker. */
static void list_runs_from(struct melds *m, const struct run *run, int n, int jokers)
{
    int place = run->low + n;

    ASSERT(place <= ENG_PLACE_ACE_HIGH);
    bool ace_again = place == ENG_PLACE_ACE_HIGH && run->low == 0 && !eng_is_joker(m->cards[0]);
    if ((run->have >> place & 1) != 0 && (!ace_again || run->two_aces)) {
        m->cards[n] = natural_at(m, run, place, !ace_again);
        list_run(m, run, n + 1, jokers);
    }
    bool apart = m->rules.jokers_adjacent || !eng_is_joker(m->cards[n - 1]);
    bool natural_comes = n > jokers || run->have >> (place + 1) != 0;
    if (jokers < run->jokers_max && apart && natural_comes) {
        m->cards[n] = m->joker[jokers];
        list_run(m, run, n + 1, jokers + 1);
    }
}

/* Lists runs for every choice of jokers in the first three places. */
static void list_runs_at(struct melds *m, const struct run *run)
{
    unsigned missing = ~(run->have >> run->low) & 7u;

    ASSERT(run->low + ENG_MELD_MIN - 1 <= m->rules.place_high);
    for (unsigned in = missing; in < 8; in = (in + 1) | missing) {
        int jokers = 0, jokers_n = (int)((in & 1u) + (in >> 1 & 1u) + (in >> 2));
        if (jokers_n > run->jokers_max || (!m->rules.jokers_adjacent && (in & in >> 1) != 0))
            continue;
        for (int i = 0; i < ENG_MELD_MIN; i++)
            m->cards[i] = in >> i & 1 ? m->joker[jokers++] : natural_at(m, run, run->low + i, true);
        list_run(m, run, ENG_MELD_MIN, jokers);
    }
}

static void list_runs(struct melds *m, int suit, unsigned starts)
{
    const struct eng_solver_rules *r = &m->rules;
    unsigned ranks = ranks_of(m, suit), places = (2u << r->place_high) - (1u << r->place_low);
    struct run run = {.suit = suit, .have = (ranks | (ranks & 1u) << ENG_PLACE_ACE_HIGH) & places};

    ASSERT(suit < ENG_SUITS && r->place_high <= ENG_PLACE_ACE_HIGH);
    run.two_aces = (m->twice >> (suit * ENG_RANKS) & 1) != 0;
    run.jokers_max = m->jokers < r->run_jokers_max ? m->jokers : r->run_jokers_max;
    for (starts &= places >> (ENG_MELD_MIN - 1) & places; starts != 0; starts &= starts - 1) {
        run.low = __builtin_ctz(starts);
        list_runs_at(m, &run);
    }
}

/* ---- All ---- */

/* A quick test: the ranks that could form sets, and the places where runs of each suit could begin. */
struct chances {
    unsigned ranks, starts[ENG_SUITS];
};

static bool count_chances(const struct melds *m, struct chances *c)
{
    unsigned one = 0, two = 0, three = 0, any = 0;
    ASSERT(m->jokers >= 0);
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned ranks = ranks_of(m, suit);
        three |= two & ranks;
        two |= one & ranks;
        one |= ranks;
        unsigned a = ranks | (ranks & 1u) << ENG_PLACE_ACE_HIGH, b = a >> 1, d = a >> 2;
        c->starts[suit] = m->jokers == 0 ? a & b & d : (a & b) | (a & d) | (b & d);
        if (m->jokers > 1)
            c->starts[suit] = a | b | d | (m->jokers > 2 ? a >> 3 | a >> 4 | a >> 5 | a >> 6 : 0);
        any |= c->starts[suit];
    }
    c->ranks = m->jokers > 0 ? two : three;
    return (c->ranks | any) != 0;
}

void eng_legal_list_melds(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    struct chances chances;
    struct melds m;
    uint64_t upper = s->hand.w[1] & ENG_PACK_MASK;

    if (!s->may_meld)
        return;
    m.legal = legal;
    m.scene = s;
    m.once = s->hand.w[0] | upper;
    m.twice = s->hand.w[0] & upper;
    take_jokers(&m);
    if (!count_chances(&m, &chances))
        return;
    eng_solver_rules_of(&m.rules, s->params, eng_legal_jokers_max(s));
    m.throwable = s->view->hand_n - m.jokers;
    m.throwable -= !s->params->throw_back && s->taken != ENG_NO_CARD && !eng_is_joker(s->taken);
    ASSERT(m.throwable >= -1 && m.jokers <= ENG_JOKER_MAX);
    list_sets(&m, chances.ranks);
    for (int suit = 0; suit < ENG_SUITS; suit++)
        if (chances.starts[suit] != 0)
            list_runs(&m, suit, chances.starts[suit]);
}
