/* Checks every byte sent to every viewer of a live table, in sessions of all variants: no card that they
 * cannot have seen in the running hand, no seed before the end of its hand, and no byte that depends on
 * information hidden from them. The cards that they can have seen are tracked independently of the views,
 * from the places of the cards. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/state.h"
#include "tables/wire.h"
#include "tests/engine/prove.h"
#include "tests/tables/fake.h"
#include "wire/game.h"

enum { GAMES = 12, HANDS_MAX = 3, MOVES_MAX = 600, W = 6, VIEWERS = 7, SNAPSHOT_EVERY = 5 };

static struct fake fake;

struct watch {
    struct tab_table *table;
    bool known[VIEWERS][ENG_CARD_MAX]; /* by viewer: each seat, and at the end a spectator */
    char server_seed[65], key[65];
    unsigned long hands, later_hands, frames, cards, mutations;
};

static uint8_t viewer_of(int i)
{
    return i == W ? ENG_SPECTATOR : (uint8_t)i;
}

static void learn(struct watch *w, int viewer, uint8_t card)
{
    if (card < ENG_CARD_MAX)
        w->known[viewer][card] = true;
}

static void learn_all(struct watch *w, uint8_t card)
{
    for (int i = 0; i < VIEWERS; i++)
        learn(w, i, card);
}

/* All viewers know open cards; only the holder knows a hand. */
static void look(struct watch *w)
{
    const struct eng_game *g = &w->table->game;
    for (uint8_t seat = 0; seat < g->players; seat++)
        for (uint8_t card = 0; card < ENG_CARD_MAX; card++)
            if (eng_cards_has(&g->hand[seat], card))
                learn(w, seat, card);
    for (int i = 0; i < g->discard_n; i++)
        learn_all(w, g->discard[i]);
    for (int m = 0; m < g->melds_top; m++)
        for (int i = 0; i < g->melds[m].n; i++)
            learn_all(w, g->melds[m].cards[i]);
    if (g->params.family == ENG_FAMILY_DECLARE) {
        learn_all(w, g->wild_card);
        learn_all(w, g->open_card);
    }
}

/* A declaration shows the hand, whether it is valid or not. */
static void look_at_declarer(struct watch *w, uint8_t seat)
{
    for (uint8_t card = 0; card < ENG_CARD_MAX; card++)
        if (eng_cards_has(&w->table->game.hand[seat], card))
            learn_all(w, card);
}

/* Every card named anywhere in a frame. */
static void check_frame(struct watch *w, int viewer, const char *frame)
{
    w->frames++;
    cr_assert_null(strstr(frame, w->server_seed), "the server's seed in %s", frame);
    cr_assert_null(strstr(frame, w->key), "the deal's key in %s", frame);
    for (const char *at = strchr(frame, '"'); at; at = strchr(at + 1, '"')) {
        const char *end = strchr(at + 1, '"');
        size_t len = end ? (size_t)(end - at) - 1 : 0;
        uint8_t card = len == 2 || len == 3 ? eng_card_parse(at + 1, len) : ENG_NO_CARD;
        if (card == ENG_NO_CARD)
            continue;
        w->cards++;
        cr_assert(w->known[viewer][card], "%s: viewer %d is shown %.*s in %s", w->table->room.variant, viewer,
                  (int)len, at + 1, frame);
    }
}

static void check_sockets(struct watch *w)
{
    for (int i = 0; i < VIEWERS; i++) {
        for (int n = 0; n < fake.sockets[i].n; n++)
            check_frame(w, i, fake.sockets[i].frames[n]);
        fake_forget(&fake, i);
    }
}

static size_t snapshot_of(struct tab_table *table, uint8_t viewer, char memory[TAB_FRAME_MAX])
{
    struct buf frame = buf_on(memory, TAB_FRAME_MAX);
    tab_wire_snapshot(&frame, table, viewer, tab_now(table));
    cr_assert_not(frame.full);
    return frame.len;
}

/* The frames of a viewer when everything hidden from them is changed. */
static void mutate(struct watch *w, int i, uint64_t *rng)
{
    static char one[TAB_FRAME_MAX], other[TAB_FRAME_MAX];
    struct tab_table *table = w->table;
    struct eng_game game = table->game;
    uint8_t seed[32], viewer = viewer_of(i);
    memcpy(seed, table->server_seed, sizeof(seed));
    size_t len = snapshot_of(table, viewer, one);
    prove_change_hidden(&table->game, viewer, rng);
    memset(table->server_seed, (int)(*rng & 0xff), sizeof(seed));
    size_t other_len = snapshot_of(table, viewer, other);
    table->game = game;
    memcpy(table->server_seed, seed, sizeof(seed));
    cr_assert(len == other_len && memcmp(one, other, len) == 0, "viewer %d of %s: %.*s", i,
              table->room.variant, (int)other_len, other);
    check_frame(w, i, (one[len] = '\0', one));
    w->mutations++;
}

/* Replaces the cards in the events of the last move, for each viewer who may not see these cards. */
static void mutate_events(struct watch *w, uint32_t from)
{
    struct tab_table *table = w->table;
    char one[2048], other[2048];
    struct tab_events_at at = tab_events_since(&table->events, from);
    struct eng_event event;
    while (tab_events_next(&at, &event)) {
        for (int i = 0; i < VIEWERS; i++) {
            if (event.private_to == ENG_NO_SEAT || event.private_to == viewer_of(i))
                continue;
            struct eng_event changed = event;
            for (int c = 0; c < changed.n; c++)
                changed.cards[c] = (uint8_t)((changed.cards[c] + 7) % 104);
            struct buf a = buf_on(one, sizeof(one)), b = buf_on(other, sizeof(other));
            wire_event(&a, &table->game, at.v, &event, viewer_of(i));
            wire_event(&b, &table->game, at.v, &changed, viewer_of(i));
            cr_assert(a.len == b.len && memcmp(one, other, a.len) == 0, "event %u, viewer %d", at.v, i);
            w->mutations++;
        }
    }
}

static bool is_played(const struct tab_table *table)
{
    enum eng_phase phase = eng_phase(&table->game);
    return table->state == TAB_PLAYING && (phase == ENG_TO_DRAW || phase == ENG_TO_PLAY);
}

/* A bot's move in a player's seat; the reply with legal moves reveals no more than the view. */
static void make_move(struct watch *w, uint64_t *rng, unsigned number)
{
    struct tab_table *table = w->table;
    uint8_t seat = eng_seat_to_move(&table->game);
    struct eng_view view;
    struct tab_command command = {.kind = TAB_DO_LEGAL, .seat = seat, .hints = true};
    (void)snprintf(command.id, sizeof(command.id), "l-%u", number);
    tab_command(table, &command);
    (void)snprintf(command.id, sizeof(command.id), "m-%u", number);
    command.kind = TAB_DO_MOVE;
    eng_view(&table->game, seat, &view);
    eng_bot_move(&view, ENG_BOT_EASY, rng, &command.move);
    if (command.move.type == ENG_DECLARE)
        look_at_declarer(w, seat);
    check_sockets(w);
    tab_command(table, &command);
    look(w);
    cr_assert_not_null(fake.pending, "%s: the bot's move was refused", table->room.variant);
}

/* A hand begins: none of its cards is known, and its seed is secret. */
static void begin_hand(struct watch *w)
{
    fake.rows_n = 0; /* they are not needed here */
    memset(w->known, 0, sizeof(w->known));
    text_hex(w->key, w->table->game.key, 32);
    look(w);
    check_sockets(w);
    w->hands++;
    w->later_hands += w->table->dealt_no > 1;
}

/* Plays all moves of a hand except the last, which is then pending, because hands are open after it. */
static void play_hand(struct watch *w, int people, uint64_t *rng)
{
    struct tab_table *table = w->table;
    for (unsigned n = 0; n < MOVES_MAX && is_played(table); n++) {
        uint32_t from = table->events.last_v;
        make_move(w, rng, table->dealt_no * MOVES_MAX + n);
        if (!is_played(table))
            break;
        (void)fake_commit(&fake);
        check_sockets(w);
        mutate_events(w, from);
        for (int i = 0; n % SNAPSHOT_EVERY == 0 && i < VIEWERS; i++)
            if (i < people || i == W)
                mutate(w, i, rng);
    }
}

/* Frames between two hands: they may show everything about the hand that has ended, and nothing about the
 * next one. */
static void check_between_hands(struct watch *w)
{
    static char one[TAB_FRAME_MAX], other[TAB_FRAME_MAX];
    struct tab_table *table = w->table;
    uint8_t seed[32];
    text_hex(w->server_seed, table->server_seed, 32);
    for (int i = 0; i < VIEWERS; i++) {
        for (int n = 0; n < fake.sockets[i].n; n++)
            cr_assert_null(strstr(fake.sockets[i].frames[n], w->server_seed), "%s",
                           fake.sockets[i].frames[n]);
        fake_forget(&fake, i);
        memcpy(seed, table->server_seed, sizeof(seed));
        size_t len = i < table->seats_n || i == W ? snapshot_of(table, viewer_of(i), one) : 0;
        memset(table->server_seed, i, sizeof(seed));
        size_t other_len = len ? snapshot_of(table, viewer_of(i), other) : 0;
        memcpy(table->server_seed, seed, sizeof(seed));
        cr_assert(len == other_len && memcmp(one, other, len) == 0, "viewer %d of %s", i,
                  table->room.variant);
        w->mutations += len > 0;
    }
}

/* Continues with the next hand. false if the session is over, or the limit is reached. */
static bool next_hand(struct watch *w, uint32_t hands_max)
{
    struct tab_table *table = w->table;
    if (!fake.pending || fake.pending->kind != TAB_WRITE_HAND || table->dealt_no >= hands_max)
        return false;
    (void)fake_commit(&fake);
    check_between_hands(w);
    for (int i = 0; i < 100 && !is_played(table) && table->state == TAB_PLAYING; i++)
        if (!fake_commit(&fake))
            fake_pass(&fake, 8000);
    cr_assert(is_played(table), "%s: hand %u is not dealt", table->room.variant, table->hand_no);
    return true;
}

static void play(struct watch *w, const char *variant, int people, uint64_t number, uint32_t hands_max)
{
    uint64_t rng = number * 977 + 1;
    struct tab_table *table = fake_open_as(&fake, variant, people, number);
    w->table = table;
    memset(w->known, 0, sizeof(w->known));
    text_hex(w->server_seed, table->server_seed, 32);
    memset(w->key, 'z', 64);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    check_sockets(w);
    /* The deal is sent once the start has been committed. */
    for (uint8_t i = 0; i < people; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    check_sockets(w);
    fake_pass(&fake, 10000);
    while (fake.pending && table->state == TAB_WAITING)
        (void)fake_commit(&fake);
    cr_assert_eq(table->state, TAB_PLAYING, "%s", variant);
    do {
        begin_hand(w);
        play_hand(w, people, &rng);
    } while (next_hand(w, hands_max));
    fake_close(&fake);
}

Test(secrets, no_viewer_of_any_variant_receives_hidden_information, .timeout = 3600)
{
    static struct watch w;
    const struct eng_params *row;
    int variants = 0;
    /* The nightly run checks thousands of whole sessions. */
    const char *more = getenv("RUMMY_SECRET_GAMES");
    uint64_t games = more ? strtoull(more, NULL, 10) : GAMES;
    uint32_t hands_max = more ? FAKE_HANDS_MAX : HANDS_MAX;
    for (size_t v = 0; (row = eng_params_at(v)) != NULL; v++) {
        variants++;
        for (uint64_t game = 0; game < games; game++)
            play(&w, row->variant, 2 + (int)(game % 2), v * 100000 + game, hands_max);
    }
    printf("%d variants, %lu hands, %lu of them not the first of their session: %lu frames, %lu cards in "
           "them, %lu "
           "mutations\n",
           variants, w.hands, w.later_hands, w.frames, w.cards, w.mutations);
    cr_assert_geq(variants, 5);
    cr_assert_gt(w.later_hands, w.hands / 3);
    cr_assert_gt(w.mutations, 1000);
    cr_assert_gt(w.cards, 1000);
}
