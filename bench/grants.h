/* Seats for the load generator: who sits where, with a ticket to connect. From REST like any player
 * (small runs), straight from the database's own functions (thousands of seats in seconds), or from
 * a file. Blocking; called before and between measurements. One thread. */
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
    bool stale; /* the ticket was used: renew before the next connect */
    char ticket[GRANT_TICKET_MAX];
    char *token; /* REST: access token of the player */
};

struct grants {
    enum grant_source source;
    struct grant *items; /* grouped by table, ascending */
    size_t n;
    struct sockaddr_in http;
    const char *db, *node; /* conninfo; name of the server's node */
};

/* Each fills source's fields first: http, or db and node. They print what failed and return false.
 * Seats of tables people already sit at are not touched. */
bool grants_by_rest(struct grants *g, const char *room, int tables, int seats);
bool grants_by_sql(struct grants *g, const char *room, int tables, int seats);
/* Lines "table seat ticket [player]". */
bool grants_by_file(struct grants *g, const char *path);
bool grants_to_file(const struct grants *g, const char *path);
/* New tickets for the stale ones. false when the source cannot now (server or database away): try later. */
bool grants_renew(struct grants *g);
void grants_free(struct grants *g);

/* Parts of it, in files of their own. */
bool grants_add(struct grants *g, int64_t table_id, int64_t player_id, int seat, const char *ticket);
bool grants_renew_sql(struct grants *g);
bool grants_renew_rest(struct grants *g);

#endif
