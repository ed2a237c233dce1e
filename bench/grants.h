/* Seats for the load generator: the players of a table, with tickets to connect. From REST like any player
 * (small runs), directly from the database's functions (thousands of seats in seconds), or from a file.
 * Blocking; called before and between measurements. One thread. */
#ifndef RUMMYD_BENCH_GRANTS_H
#define RUMMYD_BENCH_GRANTS_H

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

/* Each source first needs its fields filled in: http, or db and node. They print errors and return false.
 * Seats of tables that already have players are not touched. */
bool grants_by_rest(struct grants *g, const char *room, int tables, int seats);
bool grants_by_sql(struct grants *g, const char *room, int tables, int seats);
/* Lines "table seat ticket [player]". */
bool grants_by_file(struct grants *g, const char *path);
bool grants_to_file(const struct grants *g, const char *path);
/* New tickets for the used ones. false if the source cannot do it now (server or database unreachable): try
 * later. */
bool grants_renew(struct grants *g);
void grants_free(struct grants *g);

/* Parts in separate files. */
bool grants_add(struct grants *g, int64_t table_id, int64_t player_id, int seat, const char *ticket);
bool grants_renew_sql(struct grants *g);
bool grants_renew_rest(struct grants *g);

#endif
