/* Announces the players in this lobby to the lobbies of other nodes: writes rows while other nodes are
 * running, and sends a message on the bus when the rows have changed. A node that misses the message finds
 * the rows at its next poll. Hub thread. */
#include "server/lobby/people.h"

#include "base/clock.h"
#include "base/log.h"
#include "server/lobby/members.h"

static void on_announced(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    lobby->announcing_people = false;
    if (reply->outcome != DB_OK) {
        lobby->people_new = true; /* retry in the next second */
        log_debug("lobby_players_not_announced", LOG_TEXT("error", reply->err->text));
    } else if (db_bool(reply->rows, 0, 0)) {
        lobby->ports.people_announced(lobby->ports.ctx);
    }
}

void srv_lobby_announce_people(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {"do_lobby_players", "SELECT do_lobby_players($1, $2, $3)", 3};
    static char memory[DB_PIPE_ARGS_BYTES_MAX];
    int64_t now_ms = clock_mono_ms();
    size_t n;
    struct db_args args;
    if (!lobby->peers.has_peers || !lobby->people_new || lobby->announcing_people ||
        now_ms - lobby->people_told_ms < LOBBY_PEOPLE_MS)
        return;
    const int64_t *people = srv_lobby_players(lobby, &n);
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, lobby->node);
    db_args_int(&args, lobby->epoch);
    db_args_i64_array(&args, people, n);
    lobby->people_told_ms = now_ms;
    lobby->announcing_people = db_pipe_write(lobby->pipe, &stmt, &args, on_announced, lobby);
    lobby->people_new = !lobby->announcing_people;
}
