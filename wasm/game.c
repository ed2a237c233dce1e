/* Exports: create, deal, view, move, and bots. The JavaScript side is src/game.ts. */
#include <string.h>

#include "base/bug.h"
#include "engine/bots/master.h"
#include "engine/core/session.h"
#include "wasm/edge.h"
#include "wire/game.h"
#include "wire/values.h"

/* ---- Creating and releasing ---- */

/* Input: parameters. Output: `game`, its number. */
WASM_EXPORT("new_game") uint32_t wasm_new_game(uint32_t len, uint32_t players)
{
    uint32_t number;
    struct eng_params params;
    const char *in = wasm_input(len);
    if (!in)
        return (uint32_t)wasm_out.len;
    struct wasm_line words = wasm_line_of(in, len);
    const char *wrong = wasm_read_params(&words, &params);
    if (wrong)
        return wasm_fail(wrong, "The parameters are unknown or invalid.");
    if (players < 2 || players > ENG_SEAT_MAX || !eng_params_ok(&params, (int)players))
        return wasm_fail("bad_params",
                         "The parameters contradict each other, or do not allow this number of players.");
    struct wasm_game *g = wasm_game_free(&number);
    if (!g)
        return (uint32_t)wasm_out.len;
    memset(g, 0, sizeof *g);
    g->used = true;
    eng_init(&g->game, &params, (int)players);
    wasm_begin();
    json_kv_num(&wasm_out, "game", number);
    return wasm_end();
}

WASM_EXPORT("copy_game") uint32_t wasm_copy_game(uint32_t game)
{
    uint32_t number;
    struct wasm_game *g = wasm_game_at(game), *copy = g ? wasm_game_free(&number) : NULL;
    if (!copy)
        return (uint32_t)wasm_out.len;
    *copy = *g;
    wasm_begin();
    json_kv_num(&wasm_out, "game", number);
    return wasm_end();
}

WASM_EXPORT("close_game") uint32_t wasm_close_game(uint32_t game)
{
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    g->used = false;
    wasm_begin();
    return wasm_end();
}

/* ---- Dealing ---- */

/* Input: the seeds. Output: `events`. */
WASM_EXPORT("deal") uint32_t wasm_deal(uint32_t game, uint32_t len, uint32_t viewer)
{
    struct eng_outcome out;
    uint8_t key[ENG_KEY_BYTES];
    struct wasm_game *g = wasm_game_at(game);
    const char *in = g ? wasm_input(len) : NULL;
    if (!in)
        return (uint32_t)wasm_out.len;
    if (!wasm_is_viewer(&g->game, viewer))
        return wasm_fail("no_such_seat", "The game has no such seat.");
    if (!eng_may_deal(&g->game))
        return wasm_fail("no_deal_now", "You cannot deal a hand now.");
    struct wasm_game next = *g;
    if (!wasm_read_seeds(in, len, g->game.players, &next.seeds))
        return wasm_fail("bad_seed", "The server seed must have 32 bytes, and a client seed 0 or 16 to 32.");
    next.before = g->game;
    next.between = g->since;
    next.since.n = 0;
    next.dealt = true;
    eng_deal_key(key, next.seeds.server, next.seeds.table_id, next.game.hand_no + 1U, next.seeds.clients,
                 next.game.players);
    eng_deal(&next.game, key, &out);
    *g = next;
    wasm_begin();
    wasm_put_events(&g->game, &out, viewer);
    return wasm_end();
}

/* Input: a server seed. Output: `commit`, its SHA-256. */
WASM_EXPORT("commit") uint32_t wasm_commit(uint32_t len)
{
    uint8_t commit[32];
    if (len != 32)
        return wasm_fail("bad_seed", "The server seed must have 32 bytes.");
    eng_seed_commit(commit, (const uint8_t *)wasm_in);
    wasm_begin();
    wire_hex(&wasm_out, "commit", commit, sizeof commit);
    return wasm_end();
}

/* ---- Viewing ---- */

/* Adds the hidden cards, for a viewer who sees everything. */
static void put_hidden(const struct eng_game *game)
{
    wasm_put_hands(game->hand, game->players);
    uint8_t stock[ENG_CARD_MAX];
    for (int i = 0; i < game->stock_n; i++)
        stock[i] = game->stock[game->stock_n - 1 - i];
    wire_cards(&wasm_out, "stock", stock, game->stock_n);
}

/* The viewer's view, as `d` of a snapshot. `may_deal`: whether a hand can be dealt now. */
WASM_EXPORT("view") uint32_t wasm_view(uint32_t game, uint32_t viewer)
{
    struct eng_view view;
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (!wasm_is_viewer(&g->game, viewer))
        return wasm_fail("no_such_seat", "The game has no such seat.");
    bool everybody = viewer == WASM_EVERYBODY;
    eng_view(&g->game, everybody ? ENG_SPECTATOR : (uint8_t)viewer, &view);
    wasm_begin();
    json_kv_num(&wasm_out, "v", view.v);
    wire_view_session(&wasm_out, &view);
    json_key(&wasm_out, "seats");
    json_open(&wasm_out, '[');
    for (uint8_t seat = 0; seat < view.players; seat++) {
        json_open(&wasm_out, '{');
        json_kv_num(&wasm_out, "seat", seat);
        wire_view_seat(&wasm_out, &view, seat);
        json_close(&wasm_out, '}');
    }
    json_close(&wasm_out, ']');
    wire_view_table(&wasm_out, &view);
    wire_seat(&wasm_out, "winner", view.winner);
    wire_seats(&wasm_out, "winners", view.winners);
    json_kv_bool(&wasm_out, "may_deal", eng_may_deal(&g->game));
    if (everybody)
        put_hidden(&g->game);
    return wasm_end();
}

/* The game's hash as 16 digits: equal for equal games on every machine. */
WASM_EXPORT("hash") uint32_t wasm_hash(uint32_t game)
{
    uint8_t bytes[8];
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    uint64_t hash = eng_hash(&g->game);
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(hash >> (56 - 8 * i));
    wasm_begin();
    wire_hex(&wasm_out, "hash", bytes, sizeof bytes);
    return wasm_end();
}

/* ---- Moving ---- */

/* The legal moves, as `d` of the frame `legal`. */
WASM_EXPORT("legal") uint32_t wasm_legal(uint32_t game, uint32_t seat, uint32_t hints)
{
    struct eng_view view;
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (seat >= g->game.players)
        return wasm_fail("no_such_seat", "The game has no such seat.");
    eng_view(&g->game, (uint8_t)seat, &view);
    wasm_begin();
    wire_legal(&wasm_out, &view, hints != 0);
    return wasm_end();
}

static uint32_t refuse(const struct eng_outcome *out)
{
    wasm_begin();
    json_key(&wasm_out, "error");
    json_open(&wasm_out, '{');
    json_kv_text(&wasm_out, "code", eng_refusal_name(out->code));
    json_kv_text(&wasm_out, "text", eng_refusal_text(out->code));
    wire_cards(&wasm_out, "cards", out->refused, out->refused_n);
    json_close(&wasm_out, '}');
    return wasm_end();
}

/* Input: a move, laid out as struct eng_move. eng_apply accepts any bytes as a move. Output: `events`. */
WASM_EXPORT("apply") uint32_t wasm_apply(uint32_t game, uint32_t len, uint32_t viewer)
{
    struct eng_outcome out;
    struct eng_move move;
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (!wasm_is_viewer(&g->game, viewer))
        return wasm_fail("no_such_seat", "The game has no such seat.");
    if (len != sizeof move)
        return wasm_fail("bad_move", eng_refusal_text(ENG_BAD_MOVE));
    memcpy(&move, wasm_in, sizeof move);
    bool between = g->game.phase == ENG_HAND_OVER;
    if (eng_apply(&g->game, &move, &out) != ENG_OK)
        return refuse(&out);
    if (between && g->since.n < ENG_BETWEEN_MAX)
        eng_between_add(&g->since, &move);
    wasm_begin();
    wasm_put_events(&g->game, &out, viewer);
    return wasm_end();
}

/* ---- Bots ---- */

static struct eng_master master; /* its working memory */

static bool is_level(uint32_t level)
{
    return level >= ENG_BOT_EASY && level <= ENG_BOT_MASTER;
}

/* Sets the initial state of a bot's dice. With the same number, it plays the same game again. */
WASM_EXPORT("bot_dice") uint32_t wasm_bot_dice(uint32_t game, uint32_t seat, uint32_t high, uint32_t low)
{
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (seat >= g->game.players)
        return wasm_fail("no_such_seat", "The game has no such seat.");
    g->dice[seat] = (uint64_t)high << 32 | low;
    wasm_begin();
    return wasm_end();
}

/* Output: `move`, the move that a bot of this level would make in this seat now. */
WASM_EXPORT("bot_move") uint32_t wasm_bot_move(uint32_t game, uint32_t seat, uint32_t level)
{
    struct eng_view view;
    struct eng_move move = {0};
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (seat >= g->game.players || !is_level(level))
        return wasm_fail("no_such_seat", "The game has no such seat, or the bot level is unknown.");
    eng_view(&g->game, (uint8_t)seat, &view);
    bool turn = (view.phase == ENG_TO_DRAW || view.phase == ENG_TO_PLAY) && view.to_move == seat;
    if (!turn && !view.may_group)
        return wasm_fail("not_your_turn", eng_refusal_text(ENG_NOT_YOUR_TURN));
    if (level == ENG_BOT_MASTER)
        eng_master_move(&view, &master, &g->dice[seat], &move);
    else
        eng_bot_move(&view, (enum eng_bot_level)level, &g->dice[seat], &move);
    wasm_begin();
    json_key(&wasm_out, "move");
    wire_move(&wasm_out, &move);
    return wasm_end();
}

/* Output: `rejoins`, whether a bot of this level would rejoin the pool between two hands. */
WASM_EXPORT("bot_rejoins") uint32_t wasm_bot_rejoins(uint32_t game, uint32_t seat, uint32_t level)
{
    struct eng_view view;
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (seat >= g->game.players || !is_level(level))
        return wasm_fail("no_such_seat", "The game has no such seat, or the bot level is unknown.");
    eng_view(&g->game, (uint8_t)seat, &view);
    wasm_begin();
    json_kv_bool(&wasm_out, "rejoins", eng_bot_rejoins(&view, (enum eng_bot_level)level));
    return wasm_end();
}
