/* Chat; see chat.h. It bypasses the table's own writes, because a message needs no position among the
 * moves. Like a move, a message is sent and acknowledged only after it is stored. Several database
 * connections store messages, so a seat's next message waits until the previous one is stored. This keeps
 * each seat's messages in order. */
#include "server/hub/chat.h"

#include <stdlib.h>
#include <string.h>

#include "api/core/scopes.h"
#include "base/bug.h"

struct srv_word {
    struct srv_word *next; /* the hub's list, oldest first */
    struct srv_hub *hub;
    int64_t table_id, player_id;
    uint8_t seat;
    bool emote;
    char command[TAB_COMMAND_ID_MAX];
    char text[TAB_CHAT_BYTES_MAX];
};

static void send_line(struct srv_word *word, struct tab_table *table, const PGresult *rows)
{
    const struct tab_chat_line line = {.id = db_i64(rows, 0, db_col(rows, "id")),
                                       .unix_ms = db_i64(rows, 0, db_col(rows, "at")),
                                       .muted_at = (uint8_t)db_i64(rows, 0, db_col(rows, "deaf")),
                                       .seat = word->seat,
                                       .emote = word->emote,
                                       .text = word->text};
    tab_chat_send(table, &line);
}

static void on_stored(void *arg, const struct db_reply *reply);

static bool store(struct srv_word *word)
{
    static const struct db_stmt stmt = {"do_chat",
                                        "SELECT code, id, (extract(epoch FROM at) * 1000)::bigint AS at, "
                                        "deaf FROM do_chat($1, $2, $3, $4, $5, $6)",
                                        6};
    char memory[2048];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, word->player_id);
    db_args_int(&args, word->table_id);
    db_args_int(&args, word->seat);
    db_args_text(&args, word->emote ? "emote" : "chat");
    db_args_text(&args, word->text);
    db_args_text(&args, word->command);
    return db_pipe_write(word->hub->pipe, &stmt, &args, on_stored, word);
}

static bool same_seat(const struct srv_word *a, const struct srv_word *b)
{
    return a->table_id == b->table_id && a->seat == b->seat && a->player_id == b->player_id;
}

static void answer(const struct srv_word *word, const char *code)
{
    struct tab_table *table = tab_registry_find(&word->hub->registry, word->table_id);
    ASSERT(word->seat < ENG_SEAT_MAX);
    if (table && word->seat < table->seats_n && table->seats[word->seat].person.player_id == word->player_id)
        tab_chat_reply(table, word->seat, word->command, code);
}

/* Removes an answered message, and stores the seat's next one. */
static void advance(struct srv_word *word)
{
    struct srv_word **link = &word->hub->words;
    while (*link != word)
        link = &(*link)->next;
    *link = word->next;
    struct srv_word *next = word->next;
    while (next && !same_seat(next, word))
        next = next->next;
    free(word);
    if (next && !store(next)) {
        answer(next, "busy");
        advance(next); /* recursion limited by the seat's pending messages */
    }
}

static void on_stored(void *arg, const struct db_reply *reply)
{
    struct srv_word *word = arg;
    struct tab_table *table = tab_registry_find(&word->hub->registry, word->table_id);
    const char *code = "busy";
    if (reply->outcome == DB_OK)
        code = db_text(reply->rows, 0, db_col(reply->rows, "code"));
    if (table && strcmp(code, "ok") == 0)
        send_line(word, table, reply->rows);
    answer(word, strcmp(code, "repeated") == 0 ? "ok" : code);
    advance(word);
}

/* Stores the message now, or after the seat's previous one. false: the database accepts no statement now,
 * or the seat has too many pending messages. Repeats count here, although not toward the seat's rate. */
static bool enqueue(struct srv_word *word)
{
    struct srv_word **end = &word->hub->words;
    int before = 0;
    for (; *end; end = &(*end)->next)
        before += same_seat(*end, word);
    if (before == TAB_CHAT_BURST_MAX || (before == 0 && !store(word)))
        return false;
    *end = word;
    return true;
}

void srv_chat(struct srv_hub *hub, struct srv_socket *socket, const struct srv_frame *frame)
{
    struct tab_table *table = socket->table;
    const char *id = frame->command.id;
    ASSERT(table && socket->seat < table->seats_n);
    if (hub->registry.outage || hub->draining) {
        tab_chat_reply(table, socket->seat, id, hub->draining ? "draining" : "paused");
        return;
    }
    if (!(socket->scopes & API_SCOPE_CHAT)) {
        tab_chat_reply(table, socket->seat, id, "scope_missing");
        return;
    }
    if (!tab_chat_may_speak(table, socket->seat, id)) {
        tab_chat_reply(table, socket->seat, id, "chat_too_fast");
        return;
    }
    struct srv_word *word = calloc(1, sizeof(*word));
    if (word) {
        *word = (struct srv_word){.hub = hub,
                                  .table_id = table->id,
                                  .player_id = table->seats[socket->seat].person.player_id,
                                  .seat = socket->seat,
                                  .emote = frame->command.kind == TAB_DO_EMOTE};
        memcpy(word->command, id, sizeof(word->command));
        memcpy(word->text, frame->text, sizeof(word->text));
    }
    if (word && enqueue(word))
        return;
    free(word);
    tab_chat_reply(table, socket->seat, id, "busy");
}
