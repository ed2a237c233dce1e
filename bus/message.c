/* Subjects of messages; see message.h. */
#include "bus/message.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"

static const struct {
    const char *of, *what; /* what == NULL: without an id */
} kinds[BUS_KINDS_N] = {
    [BUS_TABLE_CHANGED] = {"table", "changed"},
    [BUS_TABLE_CANCEL] = {"table", "cancel"},
    [BUS_TABLE_REMATCH] = {"table", "rematch"},
    [BUS_PLAYER_NEWS] = {"player", "news"},
    [BUS_PLAYER_REVOKED] = {"player", "revoked"},
    [BUS_SESSION_ENDED] = {"session", "ended"},
    [BUS_LOBBY] = {"lobby", NULL},
    [BUS_PEOPLE] = {"people", NULL},
    [BUS_CHECK_ALL] = {"look", NULL},
};
static const char root[] = "rummyd.";

void bus_message_write(const struct bus_message *message, char subject[BUS_SUBJECT_MAX])
{
    ASSERT(message->kind >= 0 && message->kind < BUS_KINDS_N);
    const char *of = kinds[message->kind].of, *what = kinds[message->kind].what;
    ASSERT(what ? message->id > 0 : message->id == 0);
    int len = what
                  ? snprintf(subject, BUS_SUBJECT_MAX, "%s%s.%lld.%s", root, of, (long long)message->id, what)
                  : snprintf(subject, BUS_SUBJECT_MAX, "%s%s", root, of);
    ASSERT(len > 0 && len < BUS_SUBJECT_MAX);
}

/* Reads the id between dots, such as "17". */
static bool read_id(const char *text, size_t len, int64_t *id)
{
    char digits[24];
    if (len == 0 || len >= sizeof(digits) || text[0] < '1' || text[0] > '9')
        return false;
    memcpy(digits, text, len);
    digits[len] = '\0';
    return text_i64(digits, 1, INT64_MAX, id);
}

static bool is_of(const char *text, const char *of)
{
    size_t len = strlen(of);
    return strncmp(text, of, len) == 0 && (text[len] == '.' || text[len] == '\0');
}

bool bus_message_read(struct bus_message *message, const char *subject, const char *payload, size_t len)
{
    if (len != strlen(BUS_PAYLOAD) || memcmp(payload, BUS_PAYLOAD, len) != 0 ||
        strlen(subject) >= BUS_SUBJECT_MAX || strncmp(subject, root, strlen(root)) != 0)
        return false;
    const char *of = subject + strlen(root);
    const char *id_at = strchr(of, '.'), *what = id_at ? strchr(id_at + 1, '.') : NULL;
    int64_t id = 0;
    if (id_at && (!what || !read_id(id_at + 1, (size_t)(what - id_at) - 1, &id)))
        return false;
    for (int kind = 0; kind < BUS_KINDS_N; kind++)
        if (is_of(of, kinds[kind].of) && (id_at != NULL) == (kinds[kind].what != NULL) &&
            (!what || strcmp(what + 1, kinds[kind].what) == 0)) {
            *message = (struct bus_message){.kind = (enum bus_kind)kind, .id = id};
            return true;
        }
    return false;
}
