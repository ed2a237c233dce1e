/* Converts the best choice back to cards: which sequences of each suit it uses, and which physical cards
 * are in them. */
#include <string.h>

#include "base/bug.h"
#include "engine/solver/arrange_in.h"

/* Output so far. */
struct page {
    struct eng_arrange_search *s;
    struct eng_arrangement *out;
    struct eng_cards left, jokers; /* cards of the hand not yet used */
    int second, a_set;             /* indexes of groups that a joker does not spoil, or -1 */
};

/* ---- Cards ---- */

/* Takes a remaining joker; ENG_NO_CARD: none. Printed jokers are used last, because they are the easiest to
 * recognize. */
static uint8_t take_joker(struct page *p)
{
    for (int half = 0; half < 2; half++) {
        if (p->jokers.w[half] == 0)
            continue;
        uint8_t card = (uint8_t)(half * ENG_PACK_CARDS + __builtin_ctzll(p->jokers.w[half]));
        eng_cards_remove(&p->jokers, card);
        return card;
    }
    return ENG_NO_CARD;
}

/* Takes a card of that type, which must exist and may be wild. */
static uint8_t take_natural(struct page *p, int suit, int rank)
{
    int type = suit * ENG_RANKS + rank;
    struct eng_cards *from = p->s->a.types >> type & 1 ? &p->jokers : &p->left;
    uint8_t card = (uint8_t)(type + (eng_cards_has(from, (uint8_t)type) ? 0 : ENG_PACK_CARDS));

    eng_cards_remove(from, card);
    return card;
}

static void put(struct eng_arrangement *out, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX && out->n < ENG_HAND_MAX);
    out->cards[out->n++] = card;
    out->lens[out->groups - 1]++;
}

static int new_group(struct eng_arrangement *out)
{
    ASSERT(out->groups < ARRANGE_GROUPS_MAX);
    return out->groups++;
}

/* Writes a sequence from place `low`, with natural cards where `places` has a bit. */
static int put_run(struct page *p, int suit, int low, int n, unsigned places)
{
    struct eng_arrangement *out = p->out;
    int group = new_group(out), last = low + n - 1;

    for (int place = low; place < low + n; place++) {
        if (places >> place & 1)
            put(out, take_natural(p, suit, place % ENG_RANKS));
        else
            put(out, take_joker(p));
    }
    for (; n < ENG_MELD_MIN; n++) { /* above if it fits there, otherwise below */
        put(out, take_joker(p));
        if (last++ < ARR_LAST_PLACE)
            continue;
        uint8_t *first = out->cards + out->n - out->lens[group], joker = out->cards[out->n - 1];
        memmove(first + 1, first, out->lens[group] - 1u);
        *first = joker;
    }
    return group;
}

/* ---- Sequences ---- */

/* The places of a sequence's cards. */
static unsigned places_of(const struct eng_arrange_run *run)
{
    unsigned places = run->cards;

    return run->low == 0 ? (places | places >> ARR_LAST_PLACE) & ~(1u << ARR_LAST_PLACE) : places;
}

/* Writes the window with which the part's row reached `left`; returns the cards left for other
 * sequences. */
static struct eng_arrange_suit put_pure(struct page *p, int suit, struct eng_arrange_suit cards, int *jokers,
                                        bool sequence, int left)
{
    struct eng_arrange *a = &p->s->a;
    struct eng_arrange_run windows[ARR_WINDOWS_MAX];
    uint8_t own[2 * ARR_LANES];
    int n = eng_arrange_windows(cards.once, a->wilds[suit], windows);

    for (int i = 0; i < n; i++) {
        const struct eng_arrange_run *w = &windows[i];
        if (w->jokers > *jokers)
            continue;
        struct eng_arrange_suit rest = arr_suit_without(cards, w->cards);
        const uint8_t *row = arr_runs_row(&a->memo, a->jokers, rest, own) + (sequence ? ARR_LANES : 0);
        if (row[*jokers - w->jokers] != left)
            continue;
        *jokers -= w->jokers;
        (void)put_run(p, suit, w->low, w->n, ((1u << w->n) - 1) << w->low);
        return rest;
    }
    BUG("a counted pure sequence cannot be found");
}

/* Writes the sequences of a suit with at most this many jokers, so that `left` points are left over. */
static void put_suit(struct page *p, int suit, struct eng_arrange_suit cards, int jokers,
                     enum eng_arrange_need need, int left)
{
    struct eng_arrange *a = &p->s->a;
    struct eng_arrange_run runs[ARR_RUNS_MAX];
    uint8_t own[2 * ARR_LANES];

    if (need == ARR_PURE || need == ARR_BOTH)
        cards = put_pure(p, suit, cards, &jokers, need == ARR_BOTH, left);
    bool sequence = need == ARR_SEQUENCE || need == ARR_BOTH;
    while (cards.once != 0) {
        int place = arr_next_place(cards), i = 0;
        struct eng_arrange_suit rest = arr_suit_without(cards, 1u << place);
        const uint8_t *row = arr_runs_row(&a->memo, a->jokers, rest, own) + (sequence ? ARR_LANES : 0);
        if (row[jokers] + arr_weight(place) == left) {
            left -= arr_weight(place);
            cards = rest;
            continue;
        }
        int n = eng_arrange_runs(cards, jokers, runs);
        for (; i < n; i++) {
            rest = arr_suit_without(cards, runs[i].cards);
            if (arr_runs_row(&a->memo, a->jokers, rest, own)[jokers - runs[i].jokers] == left)
                break;
        }
        ASSERT(i < n);
        p->second = put_run(p, suit, runs[i].low, runs[i].n, places_of(&runs[i]));
        jokers -= runs[i].jokers;
        cards = rest;
        sequence = false;
    }
    ASSERT(!sequence && left == 0);
}

/* ---- All ---- */

/* How jokers and the need are divided between one suit and the suits before it. */
struct share {
    int jokers, left;
    enum eng_arrange_need need;
};

/* Splits `all` into the part of the suits before and this suit's part, which it returns. */
static struct share share_of(const struct eng_arrange_row *before, const struct eng_arrange_row *here,
                             struct share *all)
{
    for (int i = 0; i < ARR_PARTS; i++) {
        if (eng_arr_parts[i].need != all->need)
            continue;
        for (int j = 0; j <= all->jokers; j++) {
            int one = before->of[eng_arr_parts[i].one][all->jokers - j],
                other = here->of[eng_arr_parts[i].other][j];
            if (one + other != all->left)
                continue;
            *all = (struct share){all->jokers - j, one, (enum eng_arrange_need)eng_arr_parts[i].one};
            return (struct share){j, other, (enum eng_arrange_need)eng_arr_parts[i].other};
        }
    }
    BUG("a combined sum cannot be split");
}

static void put_sets(struct page *p)
{
    for (int i = 0; i < p->s->best_picks_n; i++) {
        const struct eng_arrange_sets *sets = &p->s->sets[p->s->best_picks[i]];
        unsigned suits[2] = {sets->first, sets->second};
        for (int k = 0; k < 2; k++) {
            if (suits[k] == 0)
                continue;
            p->a_set = new_group(p->out);
            for (int suit = 0; suit < ENG_SUITS; suit++)
                if (suits[k] >> suit & 1)
                    put(p->out, take_natural(p, suit, sets->place % ENG_RANKS));
            while (p->out->lens[p->a_set] < ENG_MELD_MIN)
                put(p->out, take_joker(p));
        }
    }
}

/* Adds spare jokers to a group that they do not spoil, because a declaration must have every card in a
 * group. */
static void put_spare_jokers(struct page *p)
{
    struct eng_arrangement *out = p->out;
    int group = p->a_set >= 0 ? p->a_set : p->second, at = 0;

    ASSERT(group >= 0);
    for (int i = 0; i <= group; i++)
        at += out->lens[i];
    for (uint8_t card = take_joker(p); card != ENG_NO_CARD; card = take_joker(p)) {
        memmove(out->cards + at + 1, out->cards + at, (size_t)(out->n - at));
        out->cards[at++] = card;
        out->n++;
        out->lens[group]++;
    }
}

/* Writes the sequences of every suit. The pure one is first, because it may need a certain wild card. */
static void put_runs(struct page *p)
{
    struct eng_arrange_search *s = p->s;
    struct share all = {s->best_jokers, s->best, s->need}, shares[ENG_SUITS];

    eng_arrange_rows(&s->a, &s->best_cards);
    for (int i = ENG_SUITS - 1; i > 0; i--)
        shares[s->a.order[i]] = share_of(s->a.sums[i - 1], s->a.rows[i], &all);
    shares[s->a.order[0]] = all;
    for (int pure = 1; pure >= 0; pure--) {
        for (int suit = 0; suit < ENG_SUITS; suit++) {
            const struct share *share = &shares[suit];
            if ((share->need == ARR_PURE || share->need == ARR_BOTH) == pure)
                put_suit(p, suit, arr_suit_of(&s->best_cards, suit), share->jokers, share->need, share->left);
        }
    }
}

void eng_arrange_write(struct eng_arrange_search *s, const uint8_t *cards, int n, uint8_t aside,
                       struct eng_arrangement *out)
{
    struct page page = {.s = s, .out = out, .second = -1, .a_set = -1};
    bool joker = aside != ENG_NO_CARD && eng_is_wild(s->a.wild, aside);

    for (int i = 0; i < n; i++) {
        if (eng_is_joker(cards[i]) || (s->a.types >> cards[i] % ENG_PACK_CARDS & 1))
            eng_cards_add(&page.jokers, cards[i]);
        else
            eng_cards_add(&page.left, cards[i]);
    }
    out->n = out->groups = 0;
    out->finish = aside;
    if (aside != ENG_NO_CARD && !joker)
        eng_cards_remove(&page.left, aside);
    put_runs(&page);
    put_sets(&page);
    if (joker) /* a spare one */
        out->finish = take_joker(&page);
    if (s->need == ARR_BOTH)
        put_spare_jokers(&page);
    uint8_t rest[ENG_CARD_MAX];
    struct eng_cards left = {{page.left.w[0] | page.jokers.w[0], page.left.w[1] | page.jokers.w[1]}};
    int rest_n = eng_cards_list(&left, rest);
    ASSERT(out->n + rest_n == n - (aside != ENG_NO_CARD));
    memcpy(out->cards + out->n, rest, (size_t)rest_n);
    out->n = (uint8_t)(out->n + rest_n);
}
