/* Buffers, games by number, and parsing of the input; see edge.h. */
#include "wasm/edge.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "wire/game.h"
#include "wire/values.h"

char wasm_in[WASM_IN_MAX];
static char out_bytes[WASM_OUT_MAX];
struct buf wasm_out;
struct eng_step wasm_steps[ENG_RECORD_STEPS_MAX];
static struct wasm_game games[WASM_GAMES_MAX];

WASM_EXPORT("input") char *wasm_input_place(void)
{
    return wasm_in;
}

WASM_EXPORT("input_max") uint32_t wasm_input_max(void)
{
    return WASM_IN_MAX;
}

WASM_EXPORT("output") const char *wasm_output_place(void)
{
    return out_bytes;
}

/* ---- Output ---- */

void wasm_begin(void)
{
    wasm_out = buf_on(out_bytes, WASM_OUT_MAX);
    json_open(&wasm_out, '{');
}

uint32_t wasm_end(void)
{
    json_close(&wasm_out, '}');
    if (wasm_out.full)
        return wasm_fail("too_big", "The output is too long.");
    ASSERT(wasm_out.len <= WASM_OUT_MAX);
    return (uint32_t)wasm_out.len;
}

uint32_t wasm_fail(const char *code, const char *text)
{
    wasm_begin();
    json_key(&wasm_out, "error");
    json_open(&wasm_out, '{');
    json_kv_text(&wasm_out, "code", code);
    json_kv_text(&wasm_out, "text", text);
    json_close(&wasm_out, '}');
    return wasm_end();
}

const char *wasm_input(uint32_t len)
{
    if (len <= WASM_IN_MAX)
        return wasm_in;
    (void)wasm_fail("too_long", "The input is longer than 4 MiB.");
    return NULL;
}

/* ---- Games ---- */

struct wasm_game *wasm_game_at(uint32_t number)
{
    if (number < WASM_GAMES_MAX && games[number].used)
        return &games[number];
    (void)wasm_fail("no_such_game", "No game with this ID.");
    return NULL;
}

struct wasm_game *wasm_game_free(uint32_t *number)
{
    for (uint32_t i = 0; i < WASM_GAMES_MAX; i++)
        if (!games[i].used) {
            *number = i;
            return &games[i];
        }
    (void)wasm_fail("too_many_games", "All 256 game slots are in use. Close a game first.");
    return NULL;
}

bool wasm_is_viewer(const struct eng_game *game, uint32_t viewer)
{
    return viewer < game->players || viewer == ENG_SPECTATOR || viewer == WASM_EVERYBODY;
}

/* ---- Words ---- */

struct wasm_line wasm_line_of(const char *text, size_t len)
{
    return (struct wasm_line){text, text + len};
}

bool wasm_word(struct wasm_line *w, char *word, size_t size)
{
    while (w->at < w->end && *w->at == ' ')
        w->at++;
    const char *begin = w->at;
    while (w->at < w->end && *w->at != ' ')
        w->at++;
    size_t len = (size_t)(w->at - begin);
    if (len == 0 || len >= size || memchr(begin, '\0', len)) {
        w->at = begin;
        return false;
    }
    memcpy(word, begin, len);
    word[len] = '\0';
    return true;
}

static bool read_param(char *word, struct eng_params *params)
{
    int64_t number;
    char *equals = strchr(word, '=');
    if (!equals)
        return false;
    *equals = '\0';
    if (word[0] == '+')
        return eng_params_set(params, word + 1, equals + 1);
    int field = eng_param_named(word, strlen(word));
    return field >= 0 && text_i64(equals + 1, INT16_MIN, INT16_MAX, &number) &&
           eng_param_set(params, field, (long)number);
}

const char *wasm_read_params(struct wasm_line *words, struct eng_params *params)
{
    char word[64];
    const struct eng_params *row = wasm_word(words, word, sizeof word) ? eng_params_find(word) : NULL;
    if (!row)
        return "unknown_variant";
    *params = *row;
    while (wasm_word(words, word, sizeof word))
        if (!read_param(word, params))
            return "bad_params";
    return words->at == words->end ? NULL : "bad_params";
}

int wasm_read_cards(struct wasm_line *words, uint8_t *cards, int max)
{
    char word[8];
    struct eng_cards seen = {{0, 0}};
    int n = 0;
    while (n < max && wasm_word(words, word, sizeof word)) {
        uint8_t card = eng_card_parse(word, strlen(word));
        if (card == ENG_NO_CARD || eng_cards_has(&seen, card))
            return -1;
        eng_cards_add(&seen, card);
        cards[n++] = card;
    }
    return words->at == words->end ? n : -1;
}

bool wasm_read_seeds(const char *text, size_t len, int players, struct wasm_seeds *seeds)
{
    const uint8_t *in = (const uint8_t *)text;
    size_t at = sizeof seeds->server + 8;
    if (len < at)
        return false;
    *seeds = (struct wasm_seeds){0};
    memcpy(seeds->server, in, sizeof seeds->server);
    for (int i = 0; i < 8; i++)
        seeds->table_id = seeds->table_id << 8 | in[sizeof seeds->server + (size_t)i];
    for (int seat = 0; seat < players; seat++) {
        uint8_t n = at < len ? in[at] : 255;
        if (n > ENG_CLIENT_SEED_MAX || (n > 0 && n < ENG_CLIENT_SEED_MIN) || n > len - at - 1)
            return false;
        seeds->clients[seat].len = n;
        memcpy(seeds->clients[seat].bytes, in + at + 1, n);
        at += 1U + n;
    }
    return at == len && seeds->table_id <= INT64_MAX; /* the range of ids in records */
}

/* ---- Shared output functions ---- */

void wasm_put_hands(const struct eng_cards *hands, int players)
{
    json_key(&wasm_out, "hands");
    json_open(&wasm_out, '[');
    for (int seat = 0; seat < players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&hands[seat], cards);
        json_open(&wasm_out, '[');
        for (int i = 0; i < n; i++)
            wire_card(&wasm_out, cards[i]);
        json_close(&wasm_out, ']');
    }
    json_close(&wasm_out, ']');
}

void wasm_put_events(const struct eng_game *game, const struct eng_outcome *out, uint32_t viewer)
{
    uint32_t v = game->v - out->events_n;
    json_key(&wasm_out, "events");
    json_open(&wasm_out, '[');
    for (int i = 0; i < out->events_n; i++) {
        const struct eng_event *e = &out->events[i];
        uint8_t whose = e->private_to == ENG_NO_SEAT ? ENG_SPECTATOR : e->private_to;
        wire_event(&wasm_out, game, ++v, e, viewer == WASM_EVERYBODY ? whose : (uint8_t)viewer);
    }
    json_close(&wasm_out, ']');
}

void wasm_put_verdict(const struct eng_verdict *verdict)
{
    char sentence[ENG_VERDICT_TEXT_MAX];
    struct buf text = buf_on(sentence, sizeof sentence - 1);
    json_kv_text(&wasm_out, "verdict", eng_verdict_name(verdict->code));
    if (verdict->code == ENG_VERDICT_OK)
        return;
    eng_verdict_format(verdict, &text);
    sentence[text.len] = '\0';
    json_kv_text(&wasm_out, "text", sentence);
    json_kv_num(&wasm_out, "turn", verdict->turn);
    json_kv_num(&wasm_out, "step", verdict->step);
    json_kv_text(&wasm_out, "code", verdict->refusal == ENG_OK ? NULL : eng_refusal_name(verdict->refusal));
}
