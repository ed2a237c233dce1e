/* The players in this lobby; see members.h. */
#include "server/lobby/members.h"

#include "base/bug.h"

static struct srv_lobby_member **bucket(struct srv_lobby *lobby, int64_t player_id)
{
    return &lobby->buckets[(uint64_t)player_id % LOBBY_BUCKETS];
}

struct srv_lobby_member *srv_lobby_find(const struct srv_lobby *lobby, int64_t player_id)
{
    struct srv_lobby_member *member = lobby->buckets[(uint64_t)player_id % LOBBY_BUCKETS];
    while (member && member->player_id != player_id)
        member = member->bucket_next;
    return member;
}

const int64_t *srv_lobby_players(const struct srv_lobby *lobby, size_t *n)
{
    static int64_t people[LOBBY_ASK_MAX];
    *n = 0;
    for (const struct srv_lobby_member *member = lobby->members; member && *n < LOBBY_ASK_MAX;
         member = member->next)
        people[(*n)++] = member->player_id;
    return people;
}

void srv_lobby_link(struct srv_lobby *lobby, struct srv_lobby_member *member)
{
    struct srv_lobby_member **first = bucket(lobby, member->player_id);
    ASSERT(!member->prev && !srv_lobby_find(lobby, member->player_id));
    member->bucket_next = *first;
    *first = member;
    member->next = lobby->members;
    if (member->next)
        member->next->prev = member;
    lobby->members = member;
    lobby->members_n++;
}

void srv_lobby_unlink(struct srv_lobby *lobby, struct srv_lobby_member *member)
{
    struct srv_lobby_member **at = bucket(lobby, member->player_id);
    ASSERT(lobby->members_n > 0);
    while (*at != member) {
        at = &(*at)->bucket_next;
        ASSERT(*at);
    }
    *at = member->bucket_next;
    if (member->prev)
        member->prev->next = member->next;
    else
        lobby->members = member->next;
    if (member->next)
        member->next->prev = member->prev;
    lobby->members_n--;
}
