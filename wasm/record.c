/* Exports: parsing, printing, replaying, and verifying records. The JavaScript side is src/record.ts. */
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/text.h"
#include "wasm/edge.h"
#include "wire/game.h"
#include "wire/values.h"

static struct eng_record record, before;

/* Parses the record at *at of the input; false with an error. */
static bool read_next(uint32_t len, size_t *at)
{
    char sentence[256];
    struct buf text = buf_on(sentence, sizeof sentence - 1);
    struct eng_record_error error;
    if (!wasm_input(len))
        return false;
    if (*at >= len) {
        (void)wasm_fail("no_record", "The text contains no record at this position.");
        return false;
    }
    eng_record_init(&record, eng_params_at(0), 2, wasm_steps, ENG_RECORD_STEPS_MAX);
    if (eng_record_parse_next(&record, wasm_in, len, at, &error))
        return true;
    eng_record_error_format(&error, &text);
    sentence[text.len] = '\0';
    wasm_begin();
    json_key(&wasm_out, "error");
    json_open(&wasm_out, '{');
    json_kv_text(&wasm_out, "code", "bad_record");
    json_kv_text(&wasm_out, "text", sentence);
    json_kv_num(&wasm_out, "line", error.line);
    json_kv_num(&wasm_out, "column", error.column);
    json_close(&wasm_out, '}');
    (void)wasm_end();
    return false;
}

/* ---- Parsing ---- */

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

/* `totals`: the seats' totals before this hand. */
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

/* Input: consecutive records. Output: the contents of the record at byte `at`, and `next`, the offset of
 * the record after it (or the end). */
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

/* ---- Dealing ---- */

static void take_seeds(const struct wasm_seeds *seeds)
{
    eng_record_set_seed(&record, seeds->server);
    record.table_id = seeds->table_id;
    for (int seat = 0; seat < record.players; seat++)
        record.seats[seat].seed = seeds->clients[seat];
}

/* Input: parameters, a NUL, seeds as for `deal`. For a later hand also its starter and a bit mask of the
 * seats that were out of the session before it. Output: `starter`, the card turned up (`wild`), and `hands`,
 * as derived from the seeds. */
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
                         "The parameters are unknown or invalid, or do not allow this number of players.");
    if (!wasm_read_seeds(end + 1, len - (size_t)(end + 1 - in), (int)players, &seeds))
        return wasm_fail("bad_seed", "The server seed must have 32 bytes, and a client seed 0 or 16 to 32.");
    bool later = hand_no > 1;
    if (hand_no < 1 ||
        (later ? starter >= players || out >> players != 0 || (out >> starter & 1) != 0 : out != 0))
        return wasm_fail("no_such_seat", "The session has no such hand or seat.");
    eng_record_init(&record, &params, (int)players, wasm_steps, ENG_RECORD_STEPS_MAX);
    take_seeds(&seeds);
    record.hand_no = hand_no;
    record.has_totals = later;
    record.setup.starter = (uint8_t)(later ? starter : 0);
    for (uint32_t seat = 0; seat < players; seat++)
        record.setup.out_at[seat] = (uint8_t)(out >> seat & 1); /* treated as eliminated in the first hand */
    if (!eng_record_play(&record, NULL, 0, &verdict))
        return wasm_fail(eng_verdict_name(verdict.code), verdict.text);
    wasm_begin();
    wire_seat(&wasm_out, "starter", record.setup.starter);
    json_key(&wasm_out, "wild");
    wire_card(&wasm_out, record.setup.has_wild ? record.setup.wild : ENG_NO_CARD);
    wasm_put_hands(record.setup.hand, (int)players);
    return wasm_end();
}

/* ---- Replaying and verifying ---- */

/* Output: `game`, at the start of the record at byte `at`. If the record is invalid, its verdict is the
 * error. */
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

/* The result for a hand. A hand after an invalid one may be valid by itself, but whether its session really
 * led to it cannot be proved. Same as `rummyd verify` for the hands of one file. */
enum state { WRONG, UNPROVEN, VERIFIED };

/* was: the state of the previous hand, which ended as *end_before; NULL if there was none. */
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

/* Input: consecutive records, the hands of one session. Output: `hands`, each with its verdict: `ok`, the
 * fault, or `unproven` if it follows an invalid hand. */
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

/* ---- Printing ---- */

/* Prints the parsed record again in canonical form. Output: `record`. */
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

/* Input: records. Output: `record`, the record at byte `at` in canonical form. */
WASM_EXPORT("record_print") uint32_t wasm_record_print(uint32_t len, uint32_t at)
{
    size_t next = at;
    if (!read_next(len, &next))
        return (uint32_t)wasm_out.len;
    return answer_record();
}

/* For each seat one byte with its kind (0: a human, otherwise the level of a bot), one with the length of its
 * name, and the name. Returns the offset of the moves; 0: invalid. */
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
        record.seats[seat].program = false;
        memcpy(record.seats[seat].name, name, n);
        record.seats[seat].name[n] = '\0';
        at += 2 + n;
    }
    return at;
}

/* Reads the players and then all moves, as for `apply`, adds them to the record, and outputs it. */
static uint32_t play_moves(const char *in, size_t len)
{
    static struct eng_move moves[ENG_RECORD_STEPS_MAX];
    struct eng_verdict verdict;
    size_t at = read_people((const uint8_t *)in, len);
    size_t n = (len - at) / sizeof *moves;
    if (at == 0 || n * sizeof *moves != len - at || n > ENG_RECORD_STEPS_MAX)
        return wasm_fail("bad_move", "The input is not a list of names and moves of one hand.");
    memcpy(moves, in + at, n * sizeof *moves);
    for (size_t i = 0; i < n; i++)
        if (moves[i].n > ENG_MOVE_CARDS_MAX)
            return wasm_fail("bad_move", eng_refusal_text(ENG_BAD_MOVE));
    if (!eng_record_play(&record, moves, (uint32_t)n, &verdict))
        return wasm_fail(eng_verdict_name(verdict.code), verdict.text);
    return answer_record();
}

/* Makes the record of the hand dealt last. Input: the players, then all moves of the hand, as for
 * `apply`. */
WASM_EXPORT("record_make") uint32_t wasm_record_make(uint32_t game, uint32_t len)
{
    struct wasm_game *g = wasm_game_at(game);
    const char *in = g ? wasm_input(len) : NULL;
    if (!in)
        return (uint32_t)wasm_out.len;
    if (!g->dealt)
        return wasm_fail("nothing_dealt", "No hand has been dealt.");
    eng_record_init(&record, &g->game.params, g->game.players, wasm_steps, ENG_RECORD_STEPS_MAX);
    take_seeds(&g->seeds);
    if (g->before.phase == ENG_HAND_OVER)
        eng_record_follow(&record, &g->before, &g->between);
    return play_moves(in, len);
}

/* Makes a record of the deal at byte `at` as played by other players. Input: records of `text` bytes, then
 * the players and all moves, as for `record_make`. */
WASM_EXPORT("record_anew") uint32_t wasm_record_anew(uint32_t len, uint32_t at, uint32_t text)
{
    size_t next = at;
    if (!wasm_input(len))
        return (uint32_t)wasm_out.len;
    if (text > len)
        return wasm_fail("no_record", "The text contains no record at this position.");
    if (!read_next(text, &next))
        return (uint32_t)wasm_out.len;
    if (record.has_setup)
        return wasm_fail("nothing_dealt", "No hand has been dealt.");
    record.start[0] = record.end[0] = '\0';
    record.close = (struct eng_record_close){0};
    return play_moves(wasm_in + text, len - text);
}
