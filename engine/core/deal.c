/* Fair deals: commitment, deal key, random stream, shuffle, and the deal. docs/fairness.md specifies every
 * byte and contains a Python implementation. */
#include "engine/core/deal.h"

#include <sodium.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/core/step.h"

enum { WORDS_PER_BLOCK = 8, BLOCK_BYTES = 32, LABEL_BYTES = 12 };
static const char deal_label[LABEL_BYTES + 1] = "rummy-deal-1";
static const char bots_label[LABEL_BYTES + 1] = "rummy-bots-1";

static uint8_t *put_be(uint8_t *at, uint64_t value, int bytes)
{
    ASSERT(bytes == 4 || bytes == 8);
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        *at++ = (uint8_t)(value >> shift);
    return at;
}

void eng_seed_commit(uint8_t commit[32], const uint8_t server_seed[32])
{
    ASSERT(commit != NULL && server_seed != NULL);
    crypto_hash_sha256(commit, server_seed, 32);
}

void eng_deal_key(uint8_t key[ENG_KEY_BYTES], const uint8_t server_seed[32], uint64_t table_id,
                  uint32_t hand_no, const struct eng_client_seed *seeds, int players)
{
    ASSERT(players >= 2 && players <= ENG_SEAT_MAX);
    uint8_t text[LABEL_BYTES + 12 + ENG_SEAT_MAX * (1 + ENG_CLIENT_SEED_MAX)];
    memcpy(text, deal_label, LABEL_BYTES);
    uint8_t *at = put_be(put_be(text + LABEL_BYTES, table_id, 8), hand_no, 4);
    for (int seat = 0; seat < players; seat++) {
        ASSERT(seeds[seat].len <= ENG_CLIENT_SEED_MAX);
        *at++ = seeds[seat].len;
        memcpy(at, seeds[seat].bytes, seeds[seat].len);
        at += seeds[seat].len;
    }
    ASSERT((size_t)(at - text) <= sizeof text);
    crypto_auth_hmacsha256(key, text, (unsigned long long)(at - text), server_seed);
}

uint64_t eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v)
{
    uint8_t text[LABEL_BYTES + 16], mac[32];
    uint64_t seed = 0;

    memcpy(text, bots_label, LABEL_BYTES);
    (void)put_be(put_be(put_be(text + LABEL_BYTES, table_id, 8), hand_no, 4), v, 4);
    crypto_auth_hmacsha256(mac, text, sizeof text, server_seed);
    for (int i = 0; i < 8; i++)
        seed = seed << 8 | mac[i];
    return seed;
}

/* ---- The stream ---- */

struct stream {
    crypto_auth_hmacsha256_state keyed; /* state after the key, so that it is hashed once, not per block */
    uint32_t used;
    uint32_t block_no; /* number of the block in `block`; UINT32_MAX: none yet */
    uint8_t block[BLOCK_BYTES];
};

static uint32_t stream_word(struct stream *s)
{
    uint32_t block_no = s->used / WORDS_PER_BLOCK;
    if (block_no != s->block_no) {
        uint8_t counter[8];
        crypto_auth_hmacsha256_state state = s->keyed;
        put_be(counter, block_no, 8);
        crypto_auth_hmacsha256_update(&state, counter, sizeof counter);
        crypto_auth_hmacsha256_final(&state, s->block);
        s->block_no = block_no;
    }
    const uint8_t *at = s->block + 4 * (s->used % WORDS_PER_BLOCK);
    s->used++;
    ASSERT(s->used != 0);
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Returns 0..n-1 with equal probability, by skipping words at or above the largest multiple of n. */
static uint32_t stream_below(struct stream *s, uint32_t n)
{
    ASSERT(n >= 1 && n <= ENG_CARD_MAX);
    uint64_t limit = (UINT64_C(1) << 32) / n * n;
    uint32_t word = stream_word(s);
    while (word >= limit)
        word = stream_word(s);
    return word % n;
}

static struct stream stream_of(const struct eng_game *g)
{
    struct stream s = {.used = g->stream_used, .block_no = UINT32_MAX};
    crypto_auth_hmacsha256_init(&s.keyed, g->key, ENG_KEY_BYTES);
    return s;
}

void eng_shuffle(struct eng_game *g, uint8_t *cards, int n)
{
    ASSERT(n >= 1 && n <= ENG_CARD_MAX);
    struct stream s = stream_of(g);
    for (int i = n - 1; i > 0; i--) {
        uint32_t j = stream_below(&s, (uint32_t)i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
    g->stream_used = s.used;
}

/* ---- The deal ---- */

static void forget_hand(struct eng_game *g)
{
    memset(g->hand, 0, sizeof g->hand);
    memset(g->turns, 0, sizeof g->turns);
    memset(g->timeouts, 0, sizeof g->timeouts);
    memset(g->place, 0, sizeof g->place);
    memset(g->stock, 0, sizeof g->stock);
    memset(g->discard, 0, sizeof g->discard);
    memset(g->melds, 0, sizeof g->melds);
    g->stock_n = g->discard_n = g->melds_top = g->opened = g->ending = g->flips = 0;
    g->winner = g->declarer = ENG_NO_SEAT;
    g->wild_card = g->open_card = ENG_NO_CARD;
    g->sat_out = (uint8_t)(((1 << g->players) - 1) & ~eng_session_in(g));
    g->dropped = g->wrong = g->picked = g->grouped = 0;
    memset(g->lost, 0, sizeof g->lost);
    memset(g->saves, 0, sizeof g->saves);
    memset(g->grouping, 0, sizeof g->grouping);
    ASSERT(g->phase == ENG_TO_DEAL || g->phase == ENG_HAND_OVER);
}

/* Lists the seats that are dealt in, beginning with the starter. */
static int dealt_in(const struct eng_game *g, uint8_t seats[ENG_SEAT_MAX])
{
    int n = 0;
    for (int i = 0; i < g->players; i++) {
        uint8_t seat = (uint8_t)((g->starter + i) % g->players);
        if (!eng_seat_bit(g->sat_out, seat))
            seats[n++] = seat;
    }
    ASSERT(n >= 2 && seats[0] == g->starter);
    return n;
}

/* Deals one card at a time, clockwise from the starter, beginning with the first card of the shuffled pack;
 * then the card that starts the discard pile, and then the wild card that is turned up. */
static int deal_cards(struct eng_game *g, const uint8_t *pack)
{
    uint8_t seats[ENG_SEAT_MAX];
    int at = 0, n = dealt_in(g, seats), each = eng_params_deal(&g->params, g->players);
    for (int round = 0; round < each; round++)
        for (int i = 0; i < n; i++)
            eng_cards_add(&g->hand[seats[i]], pack[at++]);
    if (g->params.starter_extra)
        eng_cards_add(&g->hand[g->starter], pack[at++]);
    if (g->params.face_up_start)
        g->discard[g->discard_n++] = pack[at++];
    if (g->params.wild_scope != ENG_WILD_NONE) {
        g->open_card = g->discard[0];
        g->wild_card = pack[at++];
    }
    ASSERT(at <= each * n + 2);
    return at;
}

static void emit_deal(struct eng_game *g, struct eng_outcome *out)
{
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (eng_seat_bit(g->sat_out, seat))
            continue;
        struct eng_event *e = eng_emit(g, out, ENG_EV_DEALT, seat);
        e->private_to = seat;
        e->dealt.hand_no = g->hand_no;
        e->dealt.stock_n = g->stock_n;
        e->n = e->dealt.cards_n = (uint8_t)eng_cards_list(&g->hand[seat], e->cards);
    }
    if (g->discard_n > 0) {
        struct eng_event *e = eng_emit(g, out, ENG_EV_DISCARDED, ENG_NO_SEAT);
        e->n = 1;
        e->cards[0] = g->discard[0];
    }
    if (g->wild_card != ENG_NO_CARD) {
        struct eng_event *e = eng_emit(g, out, ENG_EV_WILD, ENG_NO_SEAT);
        e->wild.rank = (uint8_t)eng_wild_rank(g->wild_card);
        e->n = 1;
        e->cards[0] = g->wild_card;
    }
    ASSERT(out->events_n >= 2);
}

/* After timeouts, a seat draws and discards automatically for the rest of one hand only; its player plays
 * the next hand. */
static void end_absences(struct eng_game *g, struct eng_outcome *out)
{
    for (uint8_t seat = 0; seat < g->players && g->params.family == ENG_FAMILY_DECLARE; seat++) {
        if (!eng_seat_bit(g->away & ~g->left, seat))
            continue;
        g->away = (uint8_t)(g->away & ~(1 << seat));
        eng_emit(g, out, ENG_EV_RETURNED, seat);
    }
    ASSERT((g->left & ~g->away) == 0);
}

/* The first starter is chosen at random; after that, the next seat still in starts. */
static void choose_starter(struct eng_game *g)
{
    ASSERT(g->hand_no >= 1);
    if (g->hand_no == 1) {
        struct stream s = stream_of(g);
        g->starter = (uint8_t)stream_below(&s, g->players);
        g->stream_used = s.used;
        return;
    }
    do
        g->starter = (uint8_t)((g->starter + 1) % g->players);
    while (eng_seat_bit(g->sat_out, g->starter));
}

void eng_deal(struct eng_game *g, const uint8_t key[ENG_KEY_BYTES], struct eng_outcome *out)
{
    ASSERT(eng_may_deal(g));
    ASSERT(g->hand_no < eng_session_hands_max(&g->params));
    eng_outcome_clear(out);
    forget_hand(g);
    memcpy(g->key, key, ENG_KEY_BYTES);
    g->stream_used = 0;
    uint8_t pack[ENG_CARD_MAX] = {0};
    struct eng_cards whole = eng_cards_pack(g->params.packs, g->params.jokers);
    int cards = eng_cards_list(&whole, pack); /* canonical order: ascending */
    eng_shuffle(g, pack, cards);
    g->hand_no++;
    choose_starter(g);
    end_absences(g, out);
    int dealt = deal_cards(g, pack);
    for (int i = cards - 1; i >= dealt; i--)
        g->stock[g->stock_n++] = pack[i];
    ASSERT(g->stock_n == cards - dealt);
    emit_deal(g, out);
    eng_turn_begin(g, g->starter, g->params.starter_extra ? ENG_TO_PLAY : ENG_TO_DRAW, out);
    g->rare_hash = eng_hash_rare(g);
}
