/* A growing list of seats; see grants_list.h. */
#include "bench/grants_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRANTS_GROW = 1024 };

bool grants_add(struct grants *g, int64_t table_id, int64_t player_id, int seat, const char *ticket)
{
    size_t len = strlen(ticket);
    if (g->n >= GRANTS_MAX || len >= GRANT_TICKET_MAX || seat < 0) {
        fprintf(stderr, "tableload: a seat that cannot be used (table %" PRId64 ", seat %d)\n", table_id,
                seat);
        return false;
    }
    if (g->n % GRANTS_GROW == 0) {
        struct grant *grown = realloc(g->items, (g->n + GRANTS_GROW) * sizeof(*grown));
        if (!grown) {
            fprintf(stderr, "tableload: no memory for %zu seats\n", g->n);
            return false;
        }
        g->items = grown;
    }
    struct grant *grant = &g->items[g->n++];
    *grant = (struct grant){.table_id = table_id, .player_id = player_id, .seat = seat};
    memcpy(grant->ticket, ticket, len + 1);
    return true;
}

void grants_free(struct grants *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->items[i].token);
    free(g->items);
    g->items = NULL;
    g->n = 0;
}
