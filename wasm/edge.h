/* The module's interface to JavaScript, which writes into one buffer, calls an export, and reads JSON from
 * another buffer. Every number that comes in is untrusted: it is checked here, before it reaches the engine,
 * which trusts its callers. Games stay inside the module and are identified by small numbers, so that no
 * one can pass an invalid game to the engine.
 *
 * An export's output is one object. On failure, it has `error` with a code, a sentence, and where
 * applicable the offending cards, or the line and column; in that case, nothing has changed.
 * Single-threaded. */
#ifndef RUMMYD_WASM_EDGE_H
#define RUMMYD_WASM_EDGE_H

#include "base/buf.h"
#include "engine/core/game.h"
#include "engine/record/record.h"

#ifdef __wasm__
#define WASM_EXPORT(name) __attribute__((export_name(name)))
#else
#define WASM_EXPORT(name) /* tests/fuzz/edge.c calls the C functions directly */
#endif

enum {
    WASM_IN_MAX = 4 << 20, /* bytes: a record of the longest kind of session has a few hundred thousand */
    WASM_OUT_MAX = 8 << 20,
    WASM_GAMES_MAX = 256,
    WASM_EVERYBODY = 255, /* a viewer who sees all cards: for replays and for local practice */
};

/* The inputs of a hand's deal. */
struct wasm_seeds {
    uint8_t server[32];
    uint64_t table_id;
    struct eng_client_seed clients[ENG_SEAT_MAX];
};

/* A game, and the data that its record will need. */
struct wasm_game {
    bool used, dealt;
    struct eng_game game;
    struct eng_game before;            /* as it was before this hand was dealt */
    struct eng_between between, since; /* actions before this hand, and after it */
    struct wasm_seeds seeds;
    uint64_t dice[ENG_SEAT_MAX]; /* of bots */
};

extern char wasm_in[WASM_IN_MAX];
extern struct buf wasm_out;
extern struct eng_step wasm_steps[ENG_RECORD_STEPS_MAX];

/* The first len bytes of the input; NULL with an error if there are fewer. */
const char *wasm_input(uint32_t len);
/* Begins the output, an object that stays open. */
void wasm_begin(void);
/* Closes the output and returns its length. Output that does not fit becomes the error too_big. */
uint32_t wasm_end(void);
/* Makes the output an error. */
uint32_t wasm_fail(const char *code, const char *text);
/* NULL with the error `no_such_game` if there is no such game. */
struct wasm_game *wasm_game_at(uint32_t number);
/* A free slot, with its number in *number; NULL with an error if all are taken. */
struct wasm_game *wasm_game_free(uint32_t *number);
bool wasm_is_viewer(const struct eng_game *game, uint32_t viewer);

/* ---- Input: words separated by spaces ---- */
struct wasm_line {
    const char *at, *end;
};
struct wasm_line wasm_line_of(const char *text, size_t len);
/* Copies the next word; false if there is none, or it does not fit. */
bool wasm_word(struct wasm_line *line, char *word, size_t size);
/* The variant, then `field=number` to override its row, and `+option=value` as for private tables. NULL:
 * valid; otherwise the error code. */
const char *wasm_read_params(struct wasm_line *line, struct eng_params *params);
/* The remaining words: distinct cards, at most max. -1: invalid. */
int wasm_read_cards(struct wasm_line *line, uint8_t *cards, int max);
/* Exactly these bytes: 32 of the server seed, 8 of the table id (big endian), and for each seat one byte
 * with the length of its seed, followed by the seed. */
bool wasm_read_seeds(const char *in, size_t len, int players, struct wasm_seeds *seeds);

/* ---- Shared output functions ---- */
void wasm_put_events(const struct eng_game *game, const struct eng_outcome *out, uint32_t viewer);
/* `hands`: one list per seat. */
void wasm_put_hands(const struct eng_cards *hands, int players);
void wasm_put_verdict(const struct eng_verdict *verdict);

#endif
