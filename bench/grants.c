/* Seats and tickets, see grants.h: code shared by the sources, and the file source. */
#include "bench/grants.h"

#include <errno.h>
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
        g->items[i].stale = false; /* tickets from a file are reusable: their author guarantees that */
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
