/* Remembered replies; see command_replies.h. Hub thread. */
#include "tables/command_replies.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

/* Hashes eight characters at a time; bytes past the end count as zeros. */
uint64_t tab_command_id_hash(const char *id)
{
    size_t len = strlen(id);
    uint64_t hash = len, word;
    ASSERT(len > 0 && len < TAB_COMMAND_ID_MAX);
    for (size_t at = 0; at < len; at += sizeof(word)) {
        word = 0;
        memcpy(&word, id + at, len - at < sizeof(word) ? len - at : sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash | 1;
}

static uint16_t tag_of(uint64_t hash)
{
    return (uint16_t)(hash >> 48);
}

bool tab_command_replies_find(const struct tab_command_replies *replies, const char *id,
                              struct tab_command_reply *reply)
{
    if (id[0] == '\0')
        return false;
    uint64_t hash = tab_command_id_hash(id);
    int i = 0;
    while (i < TAB_COMMAND_REPLIES_MAX && (replies->tags[i] != tag_of(hash) || replies->list[i].hash != hash))
        i++;
    if (i == TAB_COMMAND_REPLIES_MAX)
        return false;
    *reply = (struct tab_command_reply){
        .code = replies->list[i].code, .cards_n = replies->list[i].cards_n, .v = replies->list[i].v};
    if (reply->cards_n > 0)
        memcpy(reply->cards, replies->cards[i], reply->cards_n);
    return true;
}

/* Returns the slot for a new reply, replacing the oldest one. */
static int keep(struct tab_command_replies *replies, const char *id, enum eng_refusal code, uint32_t v,
                uint8_t cards_n)
{
    int i = replies->next;
    uint64_t hash = tab_command_id_hash(id);
    replies->next = (uint8_t)((i + 1) % TAB_COMMAND_REPLIES_MAX);
    replies->tags[i] = tag_of(hash);
    replies->list[i].hash = hash;
    replies->list[i].v = v;
    replies->list[i].code = (uint8_t)code;
    replies->list[i].cards_n = cards_n;
    return i;
}

void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v)
{
    (void)keep(replies, id, ENG_OK, v, 0);
}

void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome)
{
    ASSERT(outcome->code != ENG_OK && outcome->refused_n <= ENG_MOVE_CARDS_MAX);
    if (outcome->refused_n > 0 && !replies->cards)
        replies->cards = calloc(TAB_COMMAND_REPLIES_MAX, sizeof(*replies->cards));
    if (outcome->refused_n > 0 && !replies->cards)
        return;
    int i = keep(replies, id, outcome->code, 0, outcome->refused_n);
    if (outcome->refused_n > 0)
        memcpy(replies->cards[i], outcome->refused, outcome->refused_n);
}

void tab_command_replies_free(struct tab_command_replies *replies)
{
    free(replies->cards);
    replies->cards = NULL;
}
