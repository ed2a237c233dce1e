/* Exports: records read, written, replayed and verified. JavaScript's side of it is src/record.ts. */
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/text.h"
#include "wasm/edge.h"
#include "wire/game.h"
#include "wire/values.h"

static struct eng_record record, before;

/* The record that begins at *at of the input; false with an error. */
static bool read_next(uint32_t len, size_t *at)
{
    char said[256];
    struct buf text = buf_on(said, sizeof said - 1);
    struct eng_record_error error;
    if (!wasm_input(len))
        return false;
    if (*at >= len) {
        (void)wasm_fail("no_record", "There is no record here.");
        return false;
    }
    eng_record_init(&record, eng_params_at(0), 2, wasm_steps, ENG_RECORD_STEPS_MAX);
    if (eng_record_parse_next(&record, wasm_in, len, at, &error))
        return true;
    eng_record_error_say(&error, &text);
    said[text.len] = '\0';
    wasm_begin();
    json_key(&wasm_out, "error");
    json_open(&wasm_out, '{');
    json_kv_text(&wasm_out, "code", "bad_record");
    json_kv_text(&wasm_out, "text", said);
    json_kv_num(&wasm_out, "line", error.line);
    json_kv_num(&wasm_out, "column", error.column);
    json_close(&wasm_out, '}');
    (void)wasm_end();
    return false;
}

/* ---- Read ---- */

static void put_seats(void)
{
    json_key(&wasm_out, "seats");
    json_open(&wasm_out, '[');
    for (int seat = 0; seat < record.players; seat++) {
        const struct eng_record_seat *s = &record.seats[seat];
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&record.setup.hand[seat], cards);
        json_open(&wasm_out, '{');
        json_kv_num(&wasm_out, "seat", seat);
        json_kv_text(&wasm_out, "name", s->name);
        json_kv_text(&wasm_out, "kind", eng_record_kind(s));
        wire_hex(&wasm_out, "seed", s->seed.bytes, s->seed.len);
        wire_cards(&wasm_out, "cards", cards, n);
        json_close(&wasm_out, '}');
    }
    json_close(&wasm_out, ']');
}

static void put_steps(void)
{
    uint32_t turn = 1;
    json_key(&wasm_out, "steps");
    json_open(&wasm_out, '[');
    for (uint32_t i = 0; i < record.steps_n; i++) {
        const struct eng_step *step = &record.steps[i];
        json_open(&wasm_out, '{');
        json_kv_num(&wasm_out, "turn", turn);
        json_kv_num(&wasm_out, "seat", step->move.seat);
        json_key(&wasm_out, "move");
        wire_move(&wasm_out, &step->move);
        json_key(&wasm_out, "card");
        wire_card(&wasm_out, step->card);
        json_close(&wasm_out, '}');
        turn += record_ends_turn(&record, &step->move);
    }
    json_close(&wasm_out, ']');
}

static void put_scores(const struct eng_record_result *result)
{
    json_key(&wasm_out, "scores");
    json_open(&wasm_out, '[');
    for (int seat = 0; seat < record.players; seat++) {
        const struct eng_record_score *score = &result->scores[seat];
        json_open(&wasm_out, '{');
        json_kv_num(&wasm_out, "seat", seat);
        json_kv_num(&wasm_out, "place", score->place);
        json_kv_num(&wasm_out, "points", score->points);
        json_kv_num(&wasm_out, "cards_n", score->cards);
        json_key(&wasm_out, "flags");
        json_open(&wasm_out, '[');
        for (int i = 0; i < RECORD_FLAGS; i++)
            if (score->flags >> i & 1)
                json_text(&wasm_out, eng_record_flags[i]);
        json_close(&wasm_out, ']');
        json_close(&wasm_out, '}');
    }
    json_close(&wasm_out, ']');
}

static void put_result(void)
{
    const struct eng_record_result *result = &record.result;
    json_key(&wasm_out, "result");
    if (!result->finished) {
        json_nil(&wasm_out);
        return;
    }
    json_open(&wasm_out, '{');
    wire_seat(&wasm_out, "winner", result->winner);
    json_kv_text(&wasm_out, "ending", eng_ending_name(result->ending));
    json_kv_bool(&wasm_out, "rummy", result->rummy);
    put_scores(result);
    json_close(&wasm_out, '}');
}

/* `totals`: what the seats had before this hand. */
static void put_session(void)
{
    wire_id(&wasm_out, "table_id", (int64_t)record.table_id);
    json_kv_num(&wasm_out, "hand_no", record.hand_no);
    json_kv_text(&wasm_out, "start", record.start[0] ? record.start : NULL);
    json_kv_text(&wasm_out, "end", record.end[0] ? record.end : NULL);
    json_kv_bool(&wasm_out, "position", record.has_setup);
    json_key(&wasm_out, "totals");
    json_open(&wasm_out, '[');
    for (int seat = 0; seat < record.players && record.has_totals; seat++)
        json_num(&wasm_out, record.totals[seat]);
    json_close(&wasm_out, ']');
}

/* Input: records one after the other. Answer: what the one at byte `at` says, and `next`, the place of the
 * one behind it (or the end). */
WASM_EXPORT("record_parse") uint32_t wasm_record_parse(uint32_t len, uint32_t at)
{
    size_t next = at;
    if (!read_next(len, &next))
        return (uint32_t)wasm_out.len;
    wasm_begin();
    json_kv_num(&wasm_out, "at", at);
    json_kv_num(&wasm_out, "next", (int64_t)next);
    json_kv_text(&wasm_out, "variant", record.params.variant);
    wire_params(&wasm_out, &record.params);
    put_session();
    if (record.has_seed) {
        wire_hex(&wasm_out, "commit", record.commit, sizeof record.commit);
        wire_hex(&wasm_out, "server_seed", record.server_seed, sizeof record.server_seed);
    }
    wire_seat(&wasm_out, "starter", record.setup.starter);
    put_seats();
    put_steps();
    put_result();
    return wasm_end();
}

/* ---- Dealt ---- */

static void take_seeds(const struct wasm_seeds *seeds)
{
    eng_record_set_seed(&record, seeds->server);
    record.table_id = seeds->table_id;
    for (int seat = 0; seat < record.players; seat++)
        record.seats[seat].seed = seeds->clients[seat];
}

/* Input: parameters, a NUL, seeds as for `deal`. A later hand is told its starter and, bit by bit, which
 * seats were out of the session before it. Answer: `starter`, the card turned up (`wild`), and `hands`, as
 * the seeds give them. */
WASM_EXPORT("hands")
uint32_t wasm_hands(uint32_t len, uint32_t players, uint32_t hand_no, uint32_t starter, uint32_t out)
{
    struct eng_params params;
    struct wasm_seeds seeds;
    struct eng_verdict verdict;
    const char *in = wasm_input(len), *end = in ? memchr(in, '\0', len) : NULL;
    if (!in)
        return (uint32_t)wasm_out.len;
    struct wasm_line row = wasm_line_of(in, end ? (size_t)(end - in) : 0);
    const char *wrong = wasm_read_params(&row, &params);
    if (wrong || players < 2 || players > ENG_SEAT_MAX || !eng_params_ok(&params, (int)players))
        return wasm_fail(wrong ? wrong : "bad_params",
                         "There are no such parameters, or not for so many players.");
    if (!wasm_read_seeds(end + 1, len - (size_t)(end + 1 - in), (int)players, &seeds))
        return wasm_fail("bad_seed", "A server's seed has 32 bytes, a player's none or 16 to 32.");
    bool later = hand_no > 1;
    if (hand_no < 1 ||
        (later ? starter >= players || out >> players != 0 || (out >> starter & 1) != 0 : out != 0))
        return wasm_fail("no_such_seat", "There is no such hand, or no such seat.");
    eng_record_init(&record, &params, (int)players, wasm_steps, ENG_RECORD_STEPS_MAX);
    take_seeds(&seeds);
    record.hand_no = hand_no;
    record.has_totals = later;
    record.setup.starter = (uint8_t)(later ? starter : 0);
    for (uint32_t seat = 0; seat < players; seat++)
        record.setup.out_at[seat] = (uint8_t)(out >> seat & 1); /* in the first hand, say */
    if (!eng_record_play(&record, NULL, 0, &verdict))
        return wasm_fail(eng_verdict_name(verdict.code), verdict.text);
    wasm_begin();
    wire_seat(&wasm_out, "starter", record.setup.starter);
    json_key(&wasm_out, "wild");
    wire_card(&wasm_out, record.setup.has_wild ? record.setup.wild : ENG_NO_CARD);
    wasm_put_hands(record.setup.hand, (int)players);
    return wasm_end();
}

/* ---- Replayed and verified ---- */

/* Answer: `game`, which stands where the record at byte `at` begins; or its verdict as an error. */
WASM_EXPORT("record_start") uint32_t wasm_record_start(uint32_t len, uint32_t at)
{
    uint32_t number;
    size_t next = at;
    struct eng_verdict verdict;
    struct eng_game start;
    if (!read_next(len, &next))
        return (uint32_t)wasm_out.len;
    if (!eng_record_start(&record, &start, &verdict))
        return wasm_fail(eng_verdict_name(verdict.code), verdict.text);
    struct wasm_game *g = wasm_game_free(&number);
    if (!g)
        return (uint32_t)wasm_out.len;
    memset(g, 0, sizeof *g);
    g->used = true;
    g->game = start;
    wasm_begin();
    json_kv_num(&wasm_out, "game", number);
    return wasm_end();
}

/* What is known of a hand. One that follows a wrong one may hold by itself: whether its session came to it so
 * nobody can say. As `rummyd verify` has it for the hands of one file. */
enum state { WRONG, UNPROVEN, VERIFIED };

/* was: of the hand `before`, which ended as *end_before; NULL: there is none. */
static enum state verify_hand(const struct eng_game *end_before, enum state was, struct eng_game *end)
{
    struct eng_verdict verdict;
    bool good = eng_record_end(&record, end, &verdict);
    if (good && end_before && was != WRONG)
        good = eng_record_follows(&record, &before, end_before, &verdict);
    enum state state = !good ? WRONG : end_before && was != VERIFIED ? UNPROVEN : VERIFIED;
    json_open(&wasm_out, '{');
    json_kv_num(&wasm_out, "hand_no", record.hand_no);
    json_kv_num(&wasm_out, "moves", record.steps_n);
    if (state == UNPROVEN)
        json_kv_text(&wasm_out, "verdict", "unproven");
    else
        wasm_put_verdict(&verdict);
    json_close(&wasm_out, '}');
    return state;
}

/* Input: records one after the other, the hands of one session. Answer: `hands`, each with its verdict: `ok`,
 * what is wrong, or `unproven`: it follows a wrong one. */
WASM_EXPORT("record_verify") uint32_t wasm_record_verify(uint32_t len)
{
    static struct eng_game ends[2];
    size_t at = 0;
    enum state state = VERIFIED;
    if (!read_next(len, &at))
        return (uint32_t)wasm_out.len;
    wasm_begin();
    json_key(&wasm_out, "hands");
    json_open(&wasm_out, '[');
    for (int i = 0;; i++) {
        state = verify_hand(i > 0 ? &ends[(i + 1) % 2] : NULL, state, &ends[i % 2]);
        if (at >= len || wasm_out.full)
            break;
        before = record;
        if (!read_next(len, &at))
            return (uint32_t)wasm_out.len;
    }
    json_close(&wasm_out, ']');
    return wasm_end();
}

/* ---- Written ---- */

/* The record read, written anew: one spelling for each. Answer: `record`. */
static uint32_t answer_record(void)
{
    static char text[WASM_OUT_MAX / 2];
    struct buf b = buf_on(text, sizeof text - 1);
    eng_record_print(&record, &b);
    if (b.full)
        return wasm_fail("too_big", "The record is too long.");
    text[b.len] = '\0';
    wasm_begin();
    json_kv_text(&wasm_out, "record", text);
    return wasm_end();
}

/* Input: records. Answer: the one at byte `at` as it is written, `record`. */
WASM_EXPORT("record_print") uint32_t wasm_record_print(uint32_t len, uint32_t at)
{
    size_t next = at;
    if (!read_next(len, &next))
        return (uint32_t)wasm_out.len;
    return answer_record();
}

/* For each seat a byte with its kind (0: a person, or the level of a bot), one with the length of its name,
 * the name. Where the moves begin; 0: something else. */
static size_t read_people(const uint8_t *in, size_t len)
{
    size_t at = 0;
    for (int seat = 0; seat < record.players; seat++) {
        if (len - at < 2 || in[at] >= ENG_BOT_LEVELS || in[at + 1] >= ENG_NAME_MAX ||
            in[at + 1] > len - at - 2)
            return 0;
        const char *name = (const char *)in + at + 2;
        size_t n = in[at + 1];
        for (size_t i = 0; i < n; i++)
            if ((uint8_t)name[i] < 0x20 || name[i] == 0x7F)
                return 0;
        if (!text_utf8_ok(name, n))
            return 0;
        record.seats[seat].bot = in[at];
        memcpy(record.seats[seat].name, name, n);
        at += 2 + n;
    }
    return at;
}

/* Of the hand that was dealt last. Input: who sits there, then all its moves, as for `apply`. */
WASM_EXPORT("record_make") uint32_t wasm_record_make(uint32_t game, uint32_t len)
{
    static struct eng_move moves[ENG_RECORD_STEPS_MAX];
    struct eng_verdict verdict;
    struct wasm_game *g = wasm_game_at(game);
    const char *in = g ? wasm_input(len) : NULL;
    if (!in)
        return (uint32_t)wasm_out.len;
    if (!g->dealt)
        return wasm_fail("nothing_dealt", "No hand was dealt here.");
    eng_record_init(&record, &g->game.params, g->game.players, wasm_steps, ENG_RECORD_STEPS_MAX);
    take_seeds(&g->seeds);
    if (g->before.phase == ENG_HAND_OVER)
        eng_record_follow(&record, &g->before, &g->between);
    size_t at = read_people((const uint8_t *)in, len);
    size_t n = (len - at) / sizeof *moves;
    if (at == 0 || n * sizeof *moves != len - at || n > ENG_RECORD_STEPS_MAX)
        return wasm_fail("bad_move", "These are not the names and moves of a hand.");
    memcpy(moves, in + at, n * sizeof *moves);
    for (size_t i = 0; i < n; i++)
        if (moves[i].n > ENG_MOVE_CARDS_MAX)
            return wasm_fail("bad_move", eng_refusal_text(ENG_BAD_MOVE));
    if (!eng_record_play(&record, moves, (uint32_t)n, &verdict))
        return wasm_fail(eng_verdict_name(verdict.code), verdict.text);
    return answer_record();
}
