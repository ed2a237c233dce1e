/* Friends in the lobby: the friends of a player who are in this lobby, in another node's, or at a table.
 * One query covers the whole lobby, every two seconds and when a player is announced to have joined or
 * left. A changed list is sent as a whole, so that nothing accumulates for a slow reader. Hub thread. */
#include "server/lobby/friends.h"

#include "base/log.h"
#include "server/lobby/members.h"
#include "server/lobby/sent_hash.h"
#include "tables/wire.h"

static void send_list(struct srv_lobby_member *member, const char *body, uint64_t hash)
{
    char memory[LOBBY_FRIENDS_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    if (member->friends == hash || srv_ws_behind(member->socket))
        return; /* already sent, or sent later, when the client has read its backlog */
    tab_wire_open_frame(&frame, WIRE_FRAME_FRIENDS);
    json_key(&frame, "d");
    json_open(&frame, '{');
    json_key(&frame, "items");
    json_raw(&frame, body);
    json_close(&frame, '}');
    json_close(&frame, '}');
    member->friends = hash;
    if (frame.full)
        log_error("lobby_friends_too_big", LOG_NUM("player", member->player_id));
    else
        srv_ws_send(&member->socket, 1, frame.data, frame.len);
}

static void on_friends(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    lobby->asking_friends = false;
    if (reply->outcome != DB_OK)
        return;
    lobby->friends_round++;
    for (int row = 0; row < PQntuples(reply->rows); row++) {
        struct srv_lobby_member *member = srv_lobby_find(lobby, db_i64(reply->rows, row, 0));
        const char *body = db_text(reply->rows, row, 1);
        if (!member)
            continue;
        member->friends_round = lobby->friends_round;
        send_list(member, body, srv_lobby_hash(body));
    }
    for (struct srv_lobby_member *member = lobby->members; member; member = member->next)
        if (member->friends_round != lobby->friends_round)
            send_list(member, "[]", 0);
}

void srv_lobby_poll_friends(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {"q_friends_online",
                                        "SELECT player_id, body FROM q_friends_online($1, $2, $3)", 3};
    static char memory[DB_PIPE_ARGS_BYTES_MAX];
    size_t n;
    const int64_t *people = srv_lobby_players(lobby, &n);
    struct db_args args;
    if (lobby->asking_friends || n == 0)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, people, n);
    db_args_text(&args, lobby->node);
    db_args_int(&args, LOBBY_FRIENDS_MAX);
    lobby->asking_friends = db_pipe_read(lobby->pipe, &stmt, &args, on_friends, lobby);
}
