/* Seats from a file, and new tickets from every source; see grants.h. */
#include "bench/grants.h"

#include "bench/grants_rest.h"
#include "bench/grants_sql.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "table seat ticket [player]" */
static bool add_line(struct grants *g, char *line)
{
    char *at, *ticket;
    int64_t table_id = strtoll(line, &at, 10);
    long seat = strtol(at, &at, 10);
    at += strspn(at, " ");
    ticket = at;
    at += strcspn(at, " \n");
    if (at == ticket || table_id <= 0)
        return false;
    int64_t player_id = *at == ' ' ? strtoll(at, NULL, 10) : 0;
    *at = '\0';
    return grants_add(g, table_id, player_id, (int)seat, ticket);
}

bool grants_by_file(struct grants *g, const char *path)
{
    char line[GRANT_TICKET_MAX + 64];
    bool ok = true;
    FILE *f = fopen(path, "re");
    if (!f) {
        fprintf(stderr, "tableload: %s: %s\n", path, strerror(errno));
        return false;
    }
    g->source = GRANTS_FILE;
    while (ok && fgets(line, sizeof(line), f)) {
        ok = add_line(g, line);
        if (!ok)
            fprintf(stderr, "tableload: %s: not \"table seat ticket [player]\": %s\n", path, line);
    }
    fclose(f);
    return ok;
}

bool grants_to_file(const struct grants *g, const char *path)
{
    FILE *f = fopen(path, "we");
    bool ok = f != NULL;
    for (size_t i = 0; ok && i < g->n; i++)
        ok = fprintf(f, "%" PRId64 " %d %s %" PRId64 "\n", g->items[i].table_id, g->items[i].seat,
                     g->items[i].ticket, g->items[i].player_id) > 0;
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok)
        fprintf(stderr, "tableload: %s: %s\n", path, strerror(errno));
    return ok;
}

bool grants_renew(struct grants *g)
{
    if (g->source == GRANTS_SQL)
        return grants_renew_sql(g);
    if (g->source == GRANTS_REST)
        return grants_renew_rest(g);
    for (size_t i = 0; i < g->n; i++)
        g->items[i].stale = false; /* tickets from a file must be reusable */
    return true;
}
