/* Chat and emotes; see chat.h. */
#include "tables/chat.h"

#include <string.h>

#include "base/bug.h"
#include "tables/outbox.h"
#include "tables/state.h"
#include "tables/wire.h"

const char *const tab_chat_emotes[] = {
#define WIRE_EMOTE(name) name,
#include "wire/frames.def"
    NULL};

int tab_chat_emote(const char *name)
{
    for (int i = 0; tab_chat_emotes[i]; i++)
        if (strcmp(tab_chat_emotes[i], name) == 0)
            return i;
    return -1;
}

bool tab_chat_may_speak(struct tab_table *table, uint8_t seat, const char *id)
{
    struct tab_chat_pace *pace = &table->seats[seat].pace;
    ASSERT(seat < table->seats_n && pace->next < TAB_CHAT_BURST_MAX);
    int64_t now = tab_now(table) + 1, oldest = pace->at_ms[pace->next];
    uint64_t hash = tab_command_id_hash(id);
    for (int i = 0; i < TAB_CHAT_BURST_MAX; i++)
        if (pace->at_ms[i] != 0 && pace->ids[i] == hash)
            return true; /* a duplicate: acknowledge it without sending it again */
    if (oldest != 0 && now - oldest < TAB_CHAT_WINDOW_MS)
        return false;
    pace->ids[pace->next] = hash;
    pace->at_ms[pace->next] = now;
    pace->next = (uint8_t)((pace->next + 1) % TAB_CHAT_BURST_MAX);
    return true;
}

void tab_chat_reply(struct tab_table *table, uint8_t seat, const char *id, const char *code)
{
    if (strcmp(code, "ok") == 0)
        tab_reply_ack(table, seat, id, table->sent_v);
    else
        tab_reply_refused(table, seat, id, code);
}

void tab_chat_send(struct tab_table *table, const struct tab_chat_line *line)
{
    char memory[2 * TAB_CHAT_BYTES_MAX + 256]; /* an escaped quote takes two bytes */
    struct buf frame = buf_on(memory, sizeof(memory));
    struct tab_to to = tab_to_all(table);
    ASSERT(line->seat < ENG_SEAT_MAX && line->text[0] != '\0');
    to.seats = (uint8_t)~line->muted_at;
    tab_wire_chat(&frame, line);
    tab_send(table, to, &frame);
}
