/* Seats for the load generator: the players of a table, with tickets to connect. One thread. */
#ifndef RUMMYD_BENCH_GRANTS_LIST_H
#define RUMMYD_BENCH_GRANTS_LIST_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRANT_TICKET_MAX = 128, GRANTS_MAX = 400000 };
enum grant_source { GRANTS_REST, GRANTS_SQL, GRANTS_FILE };

struct grant {
    int64_t table_id, player_id;
    int seat;
    bool stale; /* the ticket was used: renew it before the next connect */
    char ticket[GRANT_TICKET_MAX];
    char *token; /* REST: the player's access token */
};

struct grants {
    enum grant_source source;
    struct grant *items; /* grouped by table, ascending */
    size_t n;
    struct sockaddr_in http;
    const char *db, *node; /* conninfo; name of the server's node */
};

/* Appends a seat. false: out of memory or an invalid seat; prints a sentence on stderr. */
bool grants_add(struct grants *g, int64_t table_id, int64_t player_id, int seat, const char *ticket);
void grants_free(struct grants *g);

#endif
