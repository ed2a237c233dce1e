/* See play.h. Proposals are made from the mover's real hand; eng_apply decides whether they are legal. */
#include "tests/engine/play.h"

#include <string.h>

#include "engine/solver/arrange.h"

uint64_t play_random(uint64_t *rng)
{
    uint64_t x = (*rng += UINT64_C(0x9E3779B97F4A7C15));
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

uint32_t play_below(uint64_t *rng, uint32_t n)
{
    return (uint32_t)((play_random(rng) >> 32) * n >> 32);
}

void play_deal(struct eng_game *g, const struct eng_params *params, int players, uint64_t number,
               struct eng_outcome *out)
{
    uint8_t key[ENG_KEY_BYTES] = {0};
    memcpy(key, &number, sizeof number);
    eng_init(g, params, players);
    eng_deal(g, key, out);
}

const struct eng_params *play_row(uint64_t number)
{
    static const char *const variants[] = {"rummy51", "straight", "treff", "rummy40", "rami"};
    return eng_params_find(variants[number % ARRAY_LEN(variants)]);
}

/* The card of that rank and suit in the hand, either copy. */
static uint8_t held(const struct eng_cards *hand, int suit, int rank)
{
    uint8_t card = (uint8_t)(suit * ENG_RANKS + rank);
    if (eng_cards_has(hand, card))
        return card;
    card = (uint8_t)(card + ENG_PACK_CARDS);
    return eng_cards_has(hand, card) ? card : ENG_NO_CARD;
}

static uint8_t next_joker(const struct eng_cards *hand, int *from)
{
    while (*from < ENG_JOKER_MAX) {
        uint8_t card = (uint8_t)(ENG_JOKER_FIRST + (*from)++);
        if (eng_cards_has(hand, card))
            return card;
    }
    return ENG_NO_CARD;
}

static void propose_set(const struct eng_cards *hand, uint64_t *rng, struct eng_move *m)
{
    int rank = (int)play_below(rng, ENG_RANKS), joker = 0;
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        uint8_t card = held(hand, suit, rank);
        if (card != ENG_NO_CARD)
            m->cards[m->n++] = card;
    }
    if (m->n == 2) {
        uint8_t card = next_joker(hand, &joker);
        if (card != ENG_NO_CARD)
            m->cards[m->n++] = card;
    }
}

static void propose_run(const struct eng_cards *hand, uint64_t *rng, struct eng_move *m)
{
    int suit = (int)play_below(rng, ENG_SUITS), joker = 0;
    int low = (int)play_below(rng, ENG_RANKS);
    int jokers_max = (int)play_below(rng, 3), jokers = 0;
    for (int place = low; place <= ENG_PLACE_ACE_HIGH && m->n < ENG_MOVE_CARDS_MAX; place++) {
        uint8_t card = held(hand, suit, place % ENG_RANKS);
        if (place == ENG_PLACE_ACE_HIGH && m->n > 0 && m->cards[0] == card)
            break;
        if (card == ENG_NO_CARD && jokers++ < jokers_max)
            card = next_joker(hand, &joker);
        if (card == ENG_NO_CARD)
            break;
        m->cards[m->n++] = card;
    }
}

static uint8_t any_held(const struct eng_cards *hand, uint64_t *rng)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(hand, cards);
    return n == 0 ? 0 : cards[play_below(rng, (uint32_t)n)];
}

static void propose_discard(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    const struct eng_cards *hand = &g->hand[m->seat];
    m->type = ENG_DISCARD;
    int n = eng_cards_count(hand), joker = 0;
    if (eng_cards_jokers(hand) == n) {
        m->n = (uint8_t)eng_cards_list(hand, m->cards);
        m->n = g->params.joker_buried ? m->n : 1;
        return;
    }
    uint8_t card = any_held(hand, rng);
    while (eng_is_joker(card))
        card = any_held(hand, rng);
    if (play_below(rng, 12) == 0 && eng_cards_jokers(hand) > 0)
        m->cards[m->n++] = next_joker(hand, &joker);
    m->cards[m->n++] = card;
}

static void propose_meld(const struct eng_cards *hand, uint64_t *rng, struct eng_move *m)
{
    m->type = ENG_MELD;
    for (int tries = 0; tries < 12 && m->n < 3; tries++) {
        m->n = 0;
        if (play_below(rng, 2) == 0)
            propose_set(hand, rng, m);
        else
            propose_run(hand, rng, m);
    }
}

/* Proposes a lay-off or a swap with a card of the hand: the first random card and meld that fit. */
static void propose_touch(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    uint8_t cards[ENG_CARD_MAX];
    const struct eng_cards *hand = &g->hand[m->seat];
    int n = eng_cards_list(hand, cards);
    m->type = play_below(rng, 2) == 0 ? ENG_LAY_OFF : ENG_SWAP;
    m->n = 1;
    for (int i = 0; i < 20 && n > 0 && g->melds_top > 0; i++) {
        struct eng_blame blame;
        enum eng_end end;
        uint8_t place;
        m->meld = (uint8_t)play_below(rng, g->melds_top);
        m->cards[0] = cards[play_below(rng, (uint32_t)n)];
        m->end = (uint8_t)play_below(rng, 3);
        const struct eng_meld *meld = &g->melds[m->meld];
        if (meld->n == 0)
            continue;
        if (m->type == ENG_SWAP ? eng_meld_frees(&g->params, meld, m->cards[0], ENG_NO_CARD, &place, &blame)
                                : eng_meld_fits(&g->params, meld, m->cards[0], (enum eng_end)m->end,
                                                ENG_RUN_MAX, &end, &blame))
            return;
    }
}

/* A joker that must be used in this turn, -1 if there is none. */
static int play_bound_joker(const struct eng_game *g)
{
    for (int j = 0; j < ENG_JOKER_MAX && !g->params.swapped_joker_kept; j++)
        if (g->freed_meld[j] != ENG_NO_MELD)
            return j;
    return -1;
}

/* ---- The declare family ---- */

/* The hand in groups of three from a random card on; the last group takes the rest, and one card stays out
 * of the groups if one goes to the finish slot. Rarely a good grouping. */
static void any_groups(const struct eng_cards *hand, uint64_t *rng, bool finish, struct eng_move *m)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(hand, cards);
    for (int i = n - 1; i > 0; i--) {
        int k = (int)play_below(rng, (uint32_t)i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[k];
        cards[k] = card;
    }
    m->n = (uint8_t)(n <= ENG_MOVE_CARDS_MAX ? n : ENG_MOVE_CARDS_MAX);
    memcpy(m->cards, cards, m->n);
    int left = m->n - finish;
    while (left >= 3 && m->groups < ENG_GROUPS_MAX && play_below(rng, 16) != 0) {
        m->lens[m->groups] = (uint8_t)(m->groups == ENG_GROUPS_MAX - 1 || left < 6 ? left : 3);
        left -= m->lens[m->groups++];
    }
}

static void propose_to_group(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    uint8_t seat = (uint8_t)play_below(rng, g->players);
    while (!eng_seat_to_group(g, seat))
        seat = (uint8_t)((seat + 1) % g->players);
    m->seat = seat;
    m->type = play_below(rng, 8) == 0 ? ENG_CLOSE : ENG_GROUP;
    if (m->type == ENG_CLOSE)
        return;
    any_groups(&g->hand[seat], rng, false, m);
    m->end = (uint8_t)(play_below(rng, 2));
}

static void propose_declare(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    uint32_t dice = play_below(rng, 256);
    if (g->phase == ENG_TO_GROUP) {
        propose_to_group(g, rng, m);
    } else if (dice < 3) {
        m->type = dice == 0 ? ENG_TIME_OUT : dice == 1 ? ENG_LEAVE : ENG_RETURN;
        m->seat = dice == 0 ? m->seat : (uint8_t)play_below(rng, g->players);
        if (m->type == ENG_LEAVE && play_below(rng, 8) != 0)
            m->type = ENG_TIME_OUT;
    } else if (g->phase == ENG_TO_DRAW) {
        m->type = dice < 6 ? ENG_DROP : dice < 80 ? ENG_DRAW_DISCARD : ENG_DRAW_STOCK;
    } else if (dice < 6) {
        m->type = ENG_DECLARE;
        any_groups(&g->hand[m->seat], rng, true, m);
    } else {
        m->type = ENG_DISCARD;
        m->n = 1;
        m->cards[0] = any_held(&g->hand[m->seat], rng);
    }
}

static struct eng_wild wild_of(const struct eng_game *g)
{
    return (struct eng_wild){.card = g->wild_card,
                             .exact = g->params.wild_scope == ENG_WILD_EXACT,
                             .natural_pure = g->params.wild_natural_pure != 0};
}

static void take_groups(struct eng_move *m, const struct eng_arrangement *best)
{
    m->groups = best->groups;
    m->n = 0;
    for (int i = 0; i < best->groups; i++) {
        m->lens[i] = best->lens[i];
        m->n = (uint8_t)(m->n + best->lens[i]);
    }
    memcpy(m->cards, best->cards, m->n);
}

void play_well(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    struct eng_wild wild = wild_of(g);
    struct eng_arrangement best;
    uint8_t cards[ENG_CARD_MAX];
    play_propose(g, rng, m);
    int n = eng_cards_list(&g->hand[m->seat], cards);
    if (g->phase == ENG_HAND_OVER) {
        *m = (struct eng_move){.type = ENG_REJOIN, .meld = ENG_NO_MELD};
        m->seat = (uint8_t)play_below(rng, g->players);
    } else if (m->type == ENG_GROUP && n == ENG_GROUPING_CARDS) {
        eng_arrange(&wild, cards, n, &best);
        take_groups(m, &best);
    } else if (m->type == ENG_DISCARD && n == ENG_GROUPING_CARDS + 1) {
        struct eng_move declaration = {.type = ENG_DECLARE, .seat = m->seat, .meld = ENG_NO_MELD};
        eng_arrange_finish(&wild, cards, n, &best);
        take_groups(&declaration, &best);
        m->cards[0] = best.finish;
        if (best.points > 0 || declaration.n < ENG_GROUPING_CARDS)
            return;
        *m = declaration;
        m->cards[m->n++] = best.finish;
    }
}

void play_propose(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    if (g->params.family == ENG_FAMILY_DECLARE) {
        *m = (struct eng_move){.seat = g->to_move, .meld = ENG_NO_MELD};
        propose_declare(g, rng, m);
        return;
    }
    *m = (struct eng_move){.seat = g->to_move, .meld = ENG_NO_MELD};
    uint32_t dice = play_below(rng, 256);
    if (dice == 0 || g->phase == ENG_TO_DRAW) {
        m->type = play_below(rng, 3) == 0 ? ENG_DRAW_DISCARD : ENG_DRAW_STOCK;
        if (g->stock_n == 0 && g->params.stock_flips > 0 && m->type == ENG_DRAW_STOCK)
            m->type = ENG_FLIP;
    } else if (dice < 100) {
        propose_meld(&g->hand[m->seat], rng, m);
    } else if (dice < 180 && g->melds_top > 0) {
        propose_touch(g, rng, m);
    } else if (dice < 184) {
        m->type = ENG_CANCEL_DRAW;
    } else if (dice < 186) {
        m->type = ENG_TAKE_BACK;
        m->meld = dice == 184 ? ENG_NO_MELD : (uint8_t)play_below(rng, g->melds_top + 1U);
    } else if (dice < 220 && play_bound_joker(g) >= 0) {
        m->type = ENG_TAKE_BACK;
        m->meld = g->freed_meld[play_bound_joker(g)];
    } else {
        propose_discard(g, rng, m);
    }
}

void play_nonsense(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    *m = (struct eng_move){
        .type = (uint8_t)play_below(rng, ENG_MOVE_TYPE_END + 1),
        .seat = (uint8_t)(play_below(rng, 4) != 0 ? g->to_move : play_below(rng, ENG_SEAT_MAX + 1)),
        .meld = (uint8_t)(play_below(rng, 8) == 0 ? play_below(rng, 256) : play_below(rng, 8)),
        .end = (uint8_t)play_below(rng, 4),
        .n = (uint8_t)play_below(rng, play_below(rng, 8) == 0 ? 20 : 5),
    };
    m->groups = (uint8_t)(play_below(rng, 4) == 0 ? play_below(rng, ENG_GROUPS_MAX + 2) : 0);
    for (int i = 0; i < ENG_GROUPS_MAX; i++)
        m->lens[i] = (uint8_t)play_below(rng, 6);
    for (int i = 0; i < ENG_MOVE_CARDS_MAX; i++)
        m->cards[i] = play_below(rng, 2) == 0 ? any_held(&g->hand[g->to_move], rng)
                                              : (uint8_t)play_below(rng, ENG_CARD_MAX + 3);
}

/* A natural card that may be discarded, or the jokers if there are only jokers. */
static void plain_discard(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    uint8_t cards[ENG_CARD_MAX];
    uint8_t taken = g->params.throw_back || g->drew != 1 + ENG_DISCARD_PILE ? ENG_NO_CARD : g->drawn;
    int held_n = eng_cards_list(&g->hand[m->seat], cards), n = 0;
    for (int i = 0; i < held_n; i++)
        if (!eng_is_joker(cards[i]) && cards[i] != taken)
            cards[n++] = cards[i];
    m->type = ENG_DISCARD;
    m->n = (uint8_t)(n > 0 || !g->params.joker_buried ? 1 : held_n);
    if (n > 0)
        m->cards[0] = cards[play_below(rng, (uint32_t)n)];
    else
        memcpy(m->cards, cards, m->n);
}

/* Draws from the stock; if that is refused, turns over the pile or takes its top. */
static uint8_t draws_plainly(const struct eng_game *g, uint8_t seat)
{
    if (g->stock_n > 0)
        return ENG_DRAW_STOCK;
    struct eng_game copy = *g;
    struct eng_outcome out;
    struct eng_move stock = {.type = ENG_DRAW_STOCK, .seat = seat, .meld = ENG_NO_MELD};
    if (eng_apply(&copy, &stock, &out) == ENG_OK)
        return ENG_DRAW_STOCK;
    return g->discard_n > 1 && g->flips < g->params.stock_flips ? ENG_FLIP : ENG_DRAW_DISCARD;
}

/* Of two remaining jokers, one must be laid off if possible. */
static void lay_a_joker(const struct eng_game *g, struct eng_move *m)
{
    for (uint8_t at = 0; at < g->melds_top * 3; at++) {
        struct eng_game copy = *g;
        struct eng_outcome out;
        m->type = ENG_LAY_OFF;
        m->meld = at / 3;
        m->end = at % 3;
        if (eng_apply(&copy, m, &out) == ENG_OK)
            return;
    }
    BUG("two jokers can neither be discarded nor laid off");
}

static void plain_end(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    struct eng_game copy = *g;
    struct eng_outcome out;
    plain_discard(g, rng, m);
    if (eng_apply(&copy, m, &out) == ENG_JOKER_NOT_DISCARDABLE)
        lay_a_joker(g, m);
}

void play_plain(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    *m = (struct eng_move){.seat = g->to_move, .meld = ENG_NO_MELD};
    if (g->params.family == ENG_FAMILY_DECLARE) {
        m->type = g->phase == ENG_TO_GROUP  ? ENG_CLOSE
                  : g->phase == ENG_TO_DRAW ? ENG_DRAW_STOCK
                                            : ENG_DISCARD;
        m->n = m->type == ENG_DISCARD;
        m->cards[0] = m->n == 1 ? any_held(&g->hand[m->seat], rng) : 0;
        return;
    }
    int bound = play_bound_joker(g);
    if (g->phase == ENG_TO_DRAW) {
        m->type = draws_plainly(g, m->seat);
    } else if (bound >= 0) {
        m->type = ENG_TAKE_BACK;
        m->meld = g->freed_meld[bound];
    } else if (g->must_open) {
        m->type = ENG_CANCEL_DRAW;
    } else if (g->staged_sum > 0) {
        m->type = ENG_TAKE_BACK;
    } else {
        plain_end(g, rng, m);
    }
}

void play_shuffle_hidden(struct eng_game *game, uint8_t viewer, uint64_t *rng)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = 0;

    for (int seat = 0; seat < game->players; seat++) {
        if (seat != viewer && game->grouping[seat].n == 0)
            n += eng_cards_list(&game->hand[seat], cards + n);
    }
    memcpy(cards + n, game->stock, game->stock_n);
    n += game->stock_n;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)play_below(rng, (uint32_t)i + 1);
        uint8_t swap = cards[i];
        cards[i] = cards[k];
        cards[k] = swap;
    }
    for (int seat = 0; seat < game->players; seat++) {
        int held = eng_cards_count(&game->hand[seat]);
        if (seat == viewer || game->grouping[seat].n > 0)
            continue;
        game->hand[seat] = (struct eng_cards){0};
        while (held-- > 0)
            eng_cards_add(&game->hand[seat], cards[--n]);
    }
    memcpy(game->stock, cards, game->stock_n);
    memset(game->key, (int)play_below(rng, 256), sizeof game->key);
}
