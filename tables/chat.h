/* Chat and emotes at a table: which emotes are allowed, how often, and which seats receive them. The hub
 * stores each message before it is sent (docs/tables.md, Chat). Hub thread; checking an emote: any thread. */
#ifndef RUMMYD_TABLES_CHAT_H
#define RUMMYD_TABLES_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/free_text.h"
#include "tables/ports.h"

enum {
    TAB_CHAT_BYTES_MAX = 4 * CHAT_CHARS_MAX + 1, /* including the NUL */
    /* Rate limit per seat: burst size and interval. */
    TAB_CHAT_BURST_MAX = 5,
    TAB_CHAT_WINDOW_MS = 10000,
};

struct tab_table;

/* Times of a seat's most recent messages. Zeroed: none. */
struct tab_chat_pace {
    int64_t at_ms[TAB_CHAT_BURST_MAX]; /* ring buffer of monotonic times + 1 */
    uint64_t ids[TAB_CHAT_BURST_MAX];  /* hashes of command ids */
    uint8_t next;
};

/* Index of an emote's name in the list of allowed ones; -1: unknown. */
int tab_chat_emote(const char *name);
/* Names of the allowed emotes; NULL after the last. */
extern const char *const tab_chat_emotes[];
/* Counts the message that the seat is about to send with this command id. A repeated command is counted
 * once. false: the seat has reached its rate limit. */
bool tab_chat_may_speak(struct tab_table *table, uint8_t seat, const char *id);

/* A chat message as stored. */
struct tab_chat_line {
    int64_t id, unix_ms;
    uint8_t seat; /* the sender's seat */
    bool emote;
    uint8_t muted_at; /* one bit per seat that has muted the sender and does not receive it */
    const char *text; /* the emote's name, or the text */
};
/* Replies to a seat's chat command. code: "ok", or the reason for the refusal. */
void tab_chat_reply(struct tab_table *table, uint8_t seat, const char *id, const char *code);
/* Sends the message to the seats that have not muted the sender, and to all spectators. */
void tab_chat_send(struct tab_table *table, const struct tab_chat_line *line);

#endif
