/* Players in the lobby get no push messages, because they see the news there. Each poll pauses push to
 * their devices. Hub thread. */
#include "server/lobby/push_pause.h"

#include "base/log.h"
#include "server/lobby/members.h"

static void on_kept(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    lobby->keeping_quiet = false;
    if (reply->outcome != DB_OK)
        log_debug("push_not_held_back",
                  LOG_TEXT("error", reply->err->text)); /* at worst, players are notified twice */
}

void srv_lobby_pause_push(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {"do_push_pause", "SELECT do_push_pause($1)", 1};
    static char memory[DB_PIPE_ARGS_BYTES_MAX];
    size_t n;
    const int64_t *people = srv_lobby_players(lobby, &n);
    struct db_args args;
    if (lobby->keeping_quiet || n == 0)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, people, n);
    lobby->keeping_quiet = db_pipe_write(lobby->pipe, &stmt, &args, on_kept, lobby);
}
