/* The bots of the declare family: they collect two sequences, one of them pure, discard what helps least,
 * declare at once, and drop a hopeless hand if that is cheaper than playing it. Like the bots of bot.c,
 * they see only a view and have no memory except their random state. */
#include "engine/bots/declare.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/dice.h"
#include "engine/bots/outs.h"
#include "engine/play/legal.h"
#include "engine/solver/arrange.h"

/* How a bot of one level plays. */
struct style {
    /* Chances out of 256 of overlooking that the open card would help or that it could declare, and of
     * discarding a random ungrouped card. Human players overlook things, too. */
    uint8_t misses_open, misses_declaration, throws_any;
    bool counts;      /* keeps track of unseen cards */
    bool drops;       /* drops hopeless hands, if drops are allowed */
    bool nears;       /* aims for a declaration rather than for the fewest points */
    uint8_t near_run; /* value of two cards of a suit that need a third, per unseen card that fits */
    uint8_t near_set; /* the same for a rank */
    uint8_t points;   /* weight of a card's points when it chooses a discard */
};

static const struct style styles[] = {
    [ENG_BOT_EASY] =
        {.misses_open = 200, .misses_declaration = 150, .throws_any = 150, .near_run = 1, .points = 4},
    [ENG_BOT_MEDIUM] = {.misses_open = 90,
                        .misses_declaration = 50,
                        .throws_any = 50,
                        .near_run = 6,
                        .near_set = 3,
                        .points = 4},
    [ENG_BOT_STRONG] = {.counts = true, .drops = true, .near_run = 8, .near_set = 4, .points = 4},
    [ENG_BOT_MASTER] =
        {.counts = true, .drops = true, .nears = true, .near_run = 8, .near_set = 4, .points = 2},
};

struct thought {
    const struct eng_view *view;
    const struct style *style;
    uint64_t *rng;
    struct eng_wild wild;
    uint8_t unseen[SOLVER_TYPES];
};

static void plain(struct eng_move *m, const struct thought *t, enum eng_move_type type)
{
    *m = (struct eng_move){.type = (uint8_t)type, .seat = t->view->viewer, .meld = ENG_NO_MELD};
}

static void count_unseen(struct thought *t)
{
    const struct eng_view *view = t->view;

    memset(t->unseen, view->params->packs, sizeof t->unseen);
    if (!t->style->counts)
        return;
    for (int i = 0; i < view->hand_n; i++)
        if (!eng_is_joker(view->hand[i]))
            t->unseen[view->hand[i] % ENG_PACK_CARDS]--;
    for (int i = 0; i < view->discard_n; i++)
        if (!eng_is_joker(view->discard[i]))
            t->unseen[view->discard[i] % ENG_PACK_CARDS]--;
    if (!eng_is_joker(view->wild_card))
        t->unseen[view->wild_card % ENG_PACK_CARDS]--;
}

/* ---- Value of a hand ---- */

/* Lower is better: ungrouped points, plus a penalty while required sequences are missing. */
static int cost_of(const struct eng_arrangement *a)
{
    static const uint8_t missing[] = {[ARRANGE_NO_PURE] = 60, [ARRANGE_ONE_SEQUENCE] = 25};

    return a->loose + (a->level < ARRANGE_TWO_SEQUENCES ? missing[a->level] : 0);
}

/* Unseen cards of this suit for this place in a sequence. */
static int to_come(const struct thought *t, int suit, int place)
{
    if (place < 0 || place > ENG_PLACE_ACE_HIGH)
        return 0;
    return t->unseen[suit * ENG_RANKS + place % ENG_RANKS];
}

/* Unseen cards that would make a run with these two places of a suit. */
static int near_run(const struct thought *t, int suit, int a, int b)
{
    int low = a < b ? a : b, apart = a < b ? b - a : a - b;

    if (apart == 1)
        return to_come(t, suit, low - 1) + to_come(t, suit, low + 2);
    return apart == 2 ? to_come(t, suit, low + 1) : 0;
}

static int near_set(const struct thought *t, int rank, int suit_a, int suit_b)
{
    int sum = 0;

    for (int suit = 0; suit < ENG_SUITS; suit++)
        sum += suit != suit_a && suit != suit_b ? t->unseen[suit * ENG_RANKS + rank] : 0;
    return sum;
}

/* How much the card helps the other cards to become groups. */
static int near_of(const struct thought *t, uint8_t card, const uint8_t *cards, int n)
{
    int sum = 0;

    if (eng_is_wild(&t->wild, card))
        return 0;
    int rank = eng_rank(card), suit = eng_suit(card);
    for (int i = 0; i < n; i++) {
        if (cards[i] == card || eng_is_wild(&t->wild, cards[i]))
            continue;
        int other = eng_rank(cards[i]), other_suit = eng_suit(cards[i]);
        if (other_suit == suit) {
            sum += t->style->near_run * near_run(t, suit, rank, other);
            if (rank == ENG_RANK_ACE && other > 0)
                sum += t->style->near_run * near_run(t, suit, ENG_PLACE_ACE_HIGH, other);
            if (other == ENG_RANK_ACE && rank > 0)
                sum += t->style->near_run * near_run(t, suit, rank, ENG_PLACE_ACE_HIGH);
        } else if (other == rank) {
            sum += t->style->near_set * near_set(t, rank, suit, other_suit);
        }
    }
    return sum;
}

/* Lists the ungrouped natural cards. Returns how many. */
static int loose_naturals(const struct thought *t, const struct eng_arrangement *a,
                          uint8_t naturals[ENG_HAND_MAX])
{
    int n = 0, at = 0;

    for (int i = 0; i < a->groups; i++)
        at += a->lens[i];
    for (; at < a->n; at++) {
        if (!eng_is_wild(&t->wild, a->cards[at]))
            naturals[n++] = a->cards[at];
    }
    return n;
}

/* The ungrouped natural card with the highest value is discarded first. */
static int throw_worth(const struct thought *t, uint8_t card, const uint8_t *naturals, int n)
{
    return t->style->points * eng_grouping_card_points(&t->wild, card) - near_of(t, card, naturals, n);
}

/* Which ungrouped card to discard; ENG_NO_CARD if only jokers are ungrouped. */
static uint8_t loose_card(const struct thought *t, const struct eng_arrangement *a)
{
    uint8_t naturals[ENG_HAND_MAX], best = ENG_NO_CARD;
    int n = loose_naturals(t, a, naturals), most = 0;

    if (n > 0 && eng_bot_misses(t->rng, t->style->throws_any))
        return naturals[eng_bot_dice(t->rng) % (uint64_t)n];
    for (int i = 0; i < n; i++) {
        int worth = throw_worth(t, naturals[i], naturals, n);
        if (best != ENG_NO_CARD && worth <= most)
            continue;
        most = worth;
        best = naturals[i];
    }
    return best;
}

/* ---- Drawing ---- */

static bool is_grouped(const struct eng_arrangement *a, uint8_t card)
{
    int grouped = 0;

    for (int i = 0; i < a->groups; i++)
        grouped += a->lens[i];
    for (int i = 0; i < grouped; i++)
        if (a->cards[i] == card)
            return true;
    return false;
}

/* Take the open card if it goes into a group and improves the hand even after the discard it requires. */
static bool takes_open(const struct thought *t, const struct eng_arrangement *now)
{
    const struct eng_view *view = t->view;
    uint8_t cards[ENG_HAND_MAX], open = view->discard[view->discard_n - 1];
    struct eng_arrangement with;

    if (eng_bot_misses(t->rng, t->style->misses_open))
        return false;
    if (eng_is_wild(&t->wild, open))
        return true;
    memcpy(cards, view->hand, view->hand_n);
    cards[view->hand_n] = open;
    eng_arrange(&t->wild, cards, view->hand_n + 1, &with);
    uint8_t thrown = loose_card(t, &with);
    if (thrown == ENG_NO_CARD)
        return true; /* all cards are in groups */
    if (t->style->nears)
        return thrown != open &&
               eng_bot_hand_cost(&t->wild, &with, true) < eng_bot_hand_cost(&t->wild, now, false);
    return thrown != open && is_grouped(&with, open) &&
           cost_of(&with) - eng_grouping_card_points(&t->wild, thrown) < cost_of(now);
}

/* Weighted sum of pairs that need a third card; in a hand without a pure sequence, nothing else matters. */
static int prospects(const struct thought *t)
{
    const struct eng_view *view = t->view;
    int sum = 0;

    for (int i = 0; i < view->hand_n; i++)
        sum += near_of(t, view->hand[i], view->hand, view->hand_n);
    return sum / 2;
}

/* Drop a hand that would cost more to play because others are likely to finish first. */
static bool drops(const struct thought *t, const struct eng_arrangement *now)
{
    const struct eng_view *view = t->view;
    int in = 0, jokers = 0;

    if (!t->style->drops || now->level > ARRANGE_NO_PURE)
        return false;
    if (view->params->pool && view->points[view->viewer] + view->drop_points >= view->params->target)
        return false;
    for (int seat = 0; seat < view->players; seat++)
        in += !view->sat_out[seat] && !view->dropped[seat] && !view->wrong[seat];
    for (int i = 0; i < view->hand_n; i++)
        jokers += eng_is_wild(&t->wild, view->hand[i]);
    if (view->drop_points == view->params->drop_first)
        return jokers == 0 && now->points >= 70 && prospects(t) < (in > 2 ? 120 : 60);
    return jokers == 0 && now->points >= 2 * view->drop_points - 10 && view->round[view->viewer] > 12;
}

static void draw(const struct thought *t, struct eng_move *m)
{
    struct eng_arrangement now;

    eng_arrange(&t->wild, t->view->hand, t->view->hand_n, &now);
    if (t->view->may_take && takes_open(t, &now))
        plain(m, t, ENG_DRAW_DISCARD);
    else if (t->view->drop_points > 0 && drops(t, &now))
        plain(m, t, ENG_DROP);
    else
        plain(m, t, ENG_DRAW_STOCK);
}

/* ---- Discarding ---- */

/* If all cards are grouped without making a valid declaration: the natural card whose loss costs least. */
static uint8_t grouped_card(const struct thought *t)
{
    struct eng_arrange_rest rests[ENG_HAND_MAX];
    int n = eng_arrange_without(&t->wild, t->view->hand, t->view->hand_n, rests), least = INT32_MAX;
    uint8_t best = ENG_NO_CARD;

    for (int i = 0; i < n; i++) {
        struct eng_arrangement left = {.level = rests[i].level, .loose = rests[i].loose};
        int cost = cost_of(&left) + (eng_is_wild(&t->wild, rests[i].card) ? ARRANGE_POINTS_MAX : 0);
        if (cost < least) {
            least = cost;
            best = rests[i].card;
        }
    }
    ASSERT(best != ENG_NO_CARD);
    return best;
}

static void play(const struct thought *t, struct eng_move *m)
{
    const struct eng_view *view = t->view;
    struct eng_arrangement now;

    if (!eng_bot_misses(t->rng, t->style->misses_declaration) && eng_legal_declaration(view, m))
        return;
    eng_arrange(&t->wild, view->hand, view->hand_n, &now);
    plain(m, t, ENG_DISCARD);
    m->n = 1;
    m->cards[0] = loose_card(t, &now);
    if (m->cards[0] == ENG_NO_CARD)
        m->cards[0] = grouped_card(t);
}

/* For an absent player, draw and discard until the hand ends or the player returns (docs/rules.md §8.7). */
static void play_absent(const struct eng_view *view, struct eng_move *m)
{
    ASSERT(view->away[view->viewer] && view->hand_n > 0);
    *m = (struct eng_move){.type = ENG_DRAW_STOCK, .seat = view->viewer, .meld = ENG_NO_MELD};
    if (view->phase == ENG_TO_DRAW)
        return;
    m->type = ENG_DISCARD;
    m->n = 1;
    m->cards[0] = view->drawn_card != ENG_NO_CARD ? view->drawn_card : view->hand[view->hand_n - 1];
}

static void read_view(struct thought *t, const struct eng_view *view, enum eng_bot_level level, uint64_t *rng)
{
    *t = (struct thought){.view = view, .style = &styles[level], .rng = rng};
    t->wild = eng_wild_of(view->params, view->wild_card);
    count_unseen(t);
}

static int worth_without(const struct thought *t, uint8_t card)
{
    uint8_t rest[ENG_HAND_MAX];
    int n = 0;

    for (int i = 0; i < t->view->hand_n; i++)
        if (t->view->hand[i] != card)
            rest[n++] = t->view->hand[i];
    return eng_bot_outs_worth(&t->wild, t->unseen, rest, n);
}

static void put_in_order(uint8_t *cards, int *worths, int n)
{
    for (int i = 1; i < n; i++) {
        uint8_t card = cards[i];
        int worth = worths[i], k = i;
        for (; k > 0 && worths[k - 1] < worth; k--) {
            worths[k] = worths[k - 1];
            cards[k] = cards[k - 1];
        }
        worths[k] = worth;
        cards[k] = card;
    }
}

int eng_bot_declare_throws(const struct eng_view *view, uint8_t cards[ENG_HAND_MAX])
{
    enum { WEIGHED_MAX = 5 }; /* each takes 0.1 ms */
    int worths[ENG_HAND_MAX];
    struct eng_arrangement now;
    struct thought t;

    read_view(&t, view, ENG_BOT_MASTER, NULL);
    eng_arrange(&t.wild, view->hand, view->hand_n, &now);
    int n = loose_naturals(&t, &now, cards), weighed = n < WEIGHED_MAX ? n : WEIGHED_MAX;
    for (int i = 0; i < n; i++)
        worths[i] = throw_worth(&t, cards[i], cards, n);
    put_in_order(cards, worths, n);
    for (int i = 0; i < weighed; i++)
        worths[i] += worth_without(&t, cards[i]) - eng_bot_pairs_served(t.unseen, cards[i]);
    put_in_order(cards, worths, weighed);
    return n;
}

void eng_bot_declare_move(const struct eng_view *view, enum eng_bot_level level, uint64_t *rng,
                          struct eng_move *m)
{
    struct thought t;

    if (view->may_group) {
        eng_legal_grouping(view, m);
        return;
    }
    if (view->to_move != view->viewer || (view->phase != ENG_TO_DRAW && view->phase != ENG_TO_PLAY))
        BUG("eng_bot_move for a seat that is not to move");
    if (view->away[view->viewer]) {
        play_absent(view, m);
        return;
    }
    read_view(&t, view, level, rng);
    if (view->phase == ENG_TO_DRAW)
        draw(&t, m);
    else
        play(&t, m);
}

/* A higher level pays another stake only if the totals are lower. A master uses the limits of a strong
 * bot. */
bool eng_bot_rejoins(const struct eng_view *view, enum eng_bot_level level)
{
    ASSERT(level >= ENG_BOT_EASY && level <= ENG_BOT_MASTER);
    if (level == ENG_BOT_MASTER)
        level = ENG_BOT_STRONG;
    return view->may_rejoin && view->rejoin_total * 4 <= view->params->rejoin_max * (5 - (int)level);
}
