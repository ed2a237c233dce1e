/* Chat and emotes at a table: which emotes may be sent, how often, and who hears them. What is said is stored
 * first, by the hub (docs/tables.md, Chat). Hub thread; the check of an emote on any. */
#ifndef RUMMYD_TABLES_CHAT_H
#define RUMMYD_TABLES_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/free_text.h"
#include "tables/ports.h"

enum {
    TAB_CHAT_BYTES_MAX = 4 * CHAT_CHARS_MAX + 1, /* with the NUL */
    /* A seat may speak so often in so long. */
    TAB_CHAT_BURST_MAX = 5,
    TAB_CHAT_WINDOW_MS = 10000,
};

struct tab_table;

/* When a seat spoke, the last few times. Zeroed: never. */
struct tab_chat_pace {
    int64_t at_ms[TAB_CHAT_BURST_MAX]; /* monotonic + 1; a ring */
    uint64_t ids[TAB_CHAT_BURST_MAX];  /* hashes of the commands' ids */
    uint8_t next;
};

/* Index of an emote's name in the list of those allowed; -1: it is none of them. */
int tab_chat_emote(const char *name);
/* Their names; NULL after the last. */
extern const char *const tab_chat_emotes[];
/* Counts what the seat is about to say by the command of that id. A command that comes again is not counted
 * twice. false: they have said enough for now. */
bool tab_chat_may_speak(struct tab_table *table, uint8_t seat, const char *id);

/* What somebody said, as it is stored. */
struct tab_chat_line {
    int64_t id, unix_ms;
    uint8_t seat; /* whose person said it */
    bool emote;
    uint8_t muted_at; /* a bit for each seat that has muted them and does not hear it */
    const char *text; /* the emote's name, or what was said */
};
/* The reply to the command by which the seat spoke. code: "ok", or why it was refused. */
void tab_chat_reply(struct tab_table *table, uint8_t seat, const char *id, const char *code);
/* To the seats that hear it, and to all spectators. */
void tab_chat_tell(struct tab_table *table, const struct tab_chat_line *line);

#endif
