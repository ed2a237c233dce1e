/* Replaces the lobby: it is empty. */
#include "server/lobby/lobby.h"

static char nobody;

struct srv_lobby *srv_lobby_new(struct ev_loop *loop, struct db_pipe *pipe, const char *node, int64_t epoch,
                                const struct srv_lobby_ports *ports)
{
    (void)loop;
    (void)pipe;
    (void)node;
    (void)epoch;
    (void)ports;
    return (struct srv_lobby *)&nobody;
}

void srv_lobby_free(struct srv_lobby *lobby)
{
    (void)lobby;
}

void srv_lobby_enter(struct srv_lobby *lobby, struct srv_socket *socket, int64_t player_id)
{
    (void)lobby;
    (void)socket;
    (void)player_id;
}

void srv_lobby_leave(struct srv_lobby *lobby, struct srv_socket *socket)
{
    (void)lobby;
    (void)socket;
}

void srv_lobby_news(struct srv_lobby *lobby, int64_t player_id)
{
    (void)lobby;
    (void)player_id;
}

void srv_lobby_changed(struct srv_lobby *lobby)
{
    (void)lobby;
}

void srv_lobby_players_moved(struct srv_lobby *lobby)
{
    (void)lobby;
}

size_t srv_lobby_size(const struct srv_lobby *lobby)
{
    (void)lobby;
    return 0;
}

void srv_lobby_second(struct srv_lobby *lobby, const struct srv_lobby_peers *peers)
{
    (void)lobby;
    (void)peers;
}

void srv_lobby_outage(struct srv_lobby *lobby, bool outage)
{
    (void)lobby;
    (void)outage;
}

void srv_lobby_drain(struct srv_lobby *lobby, int64_t retry_ms, int close_code)
{
    (void)lobby;
    (void)retry_ms;
    (void)close_code;
}
