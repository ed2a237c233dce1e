/* Tournaments in the lobby: all clients are notified of those that have changed since the last poll, so
 * that a page showing one reloads it. The lobby polls them every two seconds while it has clients. New
 * clients get no frame, because they have just loaded their page; slow readers get none either, because
 * they poll occasionally. Hub thread. */
#include "server/lobby/tournaments.h"

#include "base/bug.h"
#include "base/log.h"
#include "server/lobby/sent_hash.h"
#include "tables/wire.h"

static const struct srv_lobby_tournament *find(const struct srv_lobby *lobby, int64_t id)
{
    for (size_t i = 0; i < lobby->tournaments_n; i++)
        if (lobby->tournaments[i].id == id)
            return &lobby->tournaments[i];
    return NULL;
}

/* Writes the new and changed tournaments; returns their number. */
static size_t put_changed(struct buf *out, const struct srv_lobby *lobby, const PGresult *rows)
{
    size_t n = 0;
    tab_wire_open_frame(out, WIRE_FRAME_TOURNAMENTS_CHANGED);
    json_key(out, "d");
    json_open(out, '{');
    json_key(out, "items");
    json_open(out, '[');
    for (int row = 0; row < PQntuples(rows); row++) {
        const struct srv_lobby_tournament *before = find(lobby, db_i64(rows, row, 0));
        const char *body = db_text(rows, row, 2);
        if (before && before->sent == srv_lobby_hash(body))
            continue;
        json_raw(out, body);
        n++;
    }
    json_close(out, ']');
    json_close(out, '}');
    json_close(out, '}');
    return n;
}

/* A finished tournament is announced once and forgotten. */
static void remember(struct srv_lobby *lobby, const PGresult *rows)
{
    lobby->tournaments_n = 0;
    for (int row = 0; row < PQntuples(rows); row++)
        if (db_bool(rows, row, 1))
            lobby->tournaments[lobby->tournaments_n++] = (struct srv_lobby_tournament){
                .id = db_i64(rows, row, 0), .sent = srv_lobby_hash(db_text(rows, row, 2))};
    lobby->tournaments_known = true;
}

static void send_all(struct srv_lobby *lobby, const struct buf *frame)
{
    for (struct srv_lobby_member *member = lobby->members; member; member = member->next)
        if (!member->stale && !srv_ws_behind(member->socket))
            srv_ws_send(&member->socket, 1, frame->data, frame->len);
}

static void on_tournaments(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    struct buf frame = buf_on(lobby->memory, sizeof(lobby->memory));
    lobby->asking_tournaments = false;
    if (reply->outcome != DB_OK)
        return;
    ASSERT(PQntuples(reply->rows) <= LOBBY_TOURNAMENTS_MAX);
    size_t n = lobby->tournaments_known ? put_changed(&frame, lobby, reply->rows) : 0;
    remember(lobby, reply->rows);
    if (frame.full)
        log_error("lobby_tournaments_too_big", LOG_NUM("tournaments", (int64_t)n));
    else if (n > 0)
        send_all(lobby, &frame);
}

void srv_lobby_poll_tournaments(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {"q_lobby_tournaments",
                                        "SELECT id, going_on, body FROM q_lobby_tournaments($1, $2)", 2};
    char memory[16 * LOBBY_TOURNAMENTS_MAX];
    int64_t known[LOBBY_TOURNAMENTS_MAX];
    struct db_args args;
    if (lobby->asking_tournaments || lobby->members_n == 0)
        return;
    for (size_t i = 0; i < lobby->tournaments_n; i++)
        known[i] = lobby->tournaments[i].id;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, known, lobby->tournaments_n);
    db_args_int(&args, LOBBY_TOURNAMENTS_MAX);
    lobby->asking_tournaments = db_pipe_read(lobby->pipe, &stmt, &args, on_tournaments, lobby);
}
