/* The replies that are remembered; see command_replies.h. Hub thread. */
#include "tables/command_replies.h"

#include <string.h>

#include "base/bug.h"

static uint16_t tag_of(const char *id)
{
    uint32_t tag = 0;
    for (; *id; id++)
        tag = tag * 31 + (uint8_t)*id;
    return (uint16_t)(tag ^ tag >> 16);
}

const struct tab_command_reply *tab_command_replies_find(const struct tab_command_replies *replies,
                                                         const char *id)
{
    if (id[0] == '\0')
        return NULL;
    uint16_t tag = tag_of(id);
    for (int i = 0; i < TAB_COMMAND_REPLIES_MAX; i++)
        if (replies->tags[i] == tag && strcmp(replies->list[i].id, id) == 0)
            return &replies->list[i];
    return NULL;
}

static struct tab_command_reply *next_reply(struct tab_command_replies *replies, const char *id)
{
    struct tab_command_reply *reply = &replies->list[replies->next];
    replies->tags[replies->next] = tag_of(id);
    replies->next = (uint8_t)((replies->next + 1) % TAB_COMMAND_REPLIES_MAX);
    *reply = (struct tab_command_reply){0};
    size_t len = strlen(id);
    ASSERT(len > 0 && len < sizeof(reply->id));
    memcpy(reply->id, id, len + 1);
    return reply;
}

void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v)
{
    next_reply(replies, id)->v = v;
}

void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome)
{
    struct tab_command_reply *reply = next_reply(replies, id);
    ASSERT(outcome->code != ENG_OK && outcome->refused_n <= ENG_MOVE_CARDS_MAX);
    reply->code = (uint8_t)outcome->code;
    reply->cards_n = outcome->refused_n;
    memcpy(reply->cards, outcome->refused, outcome->refused_n);
}
