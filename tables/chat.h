/* What people say at a table: which texts are fit to be sent, how often, and who hears them. Hub thread. */
#ifndef RUMMYD_TABLES_CHAT_H
#define RUMMYD_TABLES_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/ports.h"

enum {
    TAB_CHAT_CHARS_MAX = 200,
    TAB_CHAT_BYTES_MAX = 4 * TAB_CHAT_CHARS_MAX + 1, /* with the NUL */
    TAB_CHAT_BURST_MAX = 5,                          /* of a seat in */
    TAB_CHAT_WINDOW_MS = 10000,
};

struct tab_table;

/* When a seat spoke last. Zeroed: never. */
struct tab_chat_pace {
    int64_t at_ms[TAB_CHAT_BURST_MAX];                /* monotonic + 1; a ring */
    char ids[TAB_CHAT_BURST_MAX][TAB_COMMAND_ID_MAX]; /* of the commands */
    uint8_t next;
};

/* 1 to 200 characters, not all of them blank, none that moves the cursor or turns the writing round. */
bool tab_chat_text_ok(const char *text, size_t len);
/* Index of an emote's name in the list of those allowed, -1 when it is none. */
int tab_chat_emote(const char *name);
/* NULL after the last. */
extern const char *const tab_chat_emotes[];
/* Counts what the seat is about to say by that command, unless it is one of the last. false: they have said
 * enough for now. */
bool tab_chat_may_speak(struct tab_table *table, uint8_t seat, const char *id);

struct tab_said {
    int64_t id, unix_ms;
    uint8_t seat;
    bool emote;
    uint32_t deaf; /* bit for each seat that is not to hear it */
    const char *text;
};
/* The answer to a seat's own word: code "ok", or why not. */
void tab_chat_answer(struct tab_table *table, uint8_t seat, const char *id, const char *code);
/* To the seats that want to hear it and all who watch. */
void tab_chat_tell(struct tab_table *table, const struct tab_said *said);

#endif
