/* Notifications in the lobby: each new unread one is sent once to its player's socket. They are read
 * together with the state, so they arrive within two seconds. Older ones, and all but the newest of very
 * many, are available only in the REST list. Hub thread. */
#include "server/lobby/notifications.h"

#include <stdlib.h>

#include "server/lobby/members.h"
#include "tables/wire.h"

static bool was_sent(struct srv_lobby_member *member, int64_t id)
{
    for (size_t i = 0; i < LOBBY_SENT_MAX; i++)
        if (member->sent[i] == id)
            return true;
    member->sent[member->told_next] = id;
    member->told_next = (uint8_t)((member->told_next + 1) % LOBBY_SENT_MAX);
    return false;
}

static void send_notice(struct srv_lobby_member *member, const char *body)
{
    char memory[4096];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_open_frame(&frame, WIRE_FRAME_NOTIFICATION);
    json_key(&frame, "d");
    json_raw(&frame, body);
    json_close(&frame, '}');
    if (!frame.full)
        srv_ws_send(&member->socket, 1, frame.data, frame.len);
}

static void on_notifications(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    lobby->asking_notifications = false;
    if (reply->outcome != DB_OK)
        return;
    int n = PQntuples(reply->rows);
    lobby->notifications_after = n == LOBBY_NOTIFICATIONS_MAX ? db_i64(reply->rows, n - 1, 1) : 0;
    for (int row = 0; row < n; row++) {
        struct srv_lobby_member *member = srv_lobby_find(lobby, db_i64(reply->rows, row, 0));
        if (member && !srv_ws_behind(member->socket) && !was_sent(member, db_i64(reply->rows, row, 1)))
            send_notice(member, db_text(reply->rows, row, 2));
    }
}

void srv_lobby_poll_notifications(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {
        "new_notifications",
        "SELECT player_id, id, jsonb_build_object('id', id::text, 'at', rfc3339(at), 'kind', kind, 'data', "
        "notification_shown(data))::text FROM (SELECT *, row_number() OVER (PARTITION BY player_id ORDER BY "
        "id DESC) AS n "
        "FROM notifications WHERE player_id = ANY ($1) AND read_at IS NULL "
        "AND at > now() - make_interval(secs => $2)) x WHERE n <= $3 AND id > $4 ORDER BY id LIMIT $5",
        5};
    static char memory[DB_PIPE_ARGS_BYTES_MAX];
    size_t n;
    const int64_t *players = srv_lobby_players(lobby, &n);
    if (lobby->asking_notifications)
        return;
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, players, n);
    db_args_int(&args, LOBBY_NOTIFICATION_AGE_S);
    db_args_int(&args, LOBBY_SENT_MAX);
    db_args_int(&args, lobby->notifications_after);
    db_args_int(&args, LOBBY_NOTIFICATIONS_MAX);
    lobby->asking_notifications = db_pipe_read(lobby->pipe, &stmt, &args, on_notifications, lobby);
}
