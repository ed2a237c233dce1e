/* See read.h: parses number lists into entrants and their past opponents. */
#include "server/draw/read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int32_t entry, at;
};

static bool next_number(const char **text, int32_t *number)
{
    char *end;
    *text += strspn(*text, " ");
    if (!isdigit((unsigned char)**text)) /* strtol would also skip other white space and accept a sign */
        return false;
    const long read = strtol(*text, &end, 10);
    if (read > INT32_MAX)
        return false;
    *text = end;
    *number = (int32_t)read;
    return true;
}

static int by_entry(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* -1: an entry that has left the tournament. */
static int32_t place_of(const struct place *places, int n, int32_t entry)
{
    const struct place key = {.entry = entry};
    const struct place *found = bsearch(&key, places, (size_t)n, sizeof(*places), by_entry);
    return found ? found->at : -1;
}

static bool read_entrants(struct srv_draw *draw, const char *text, struct place *places)
{
    int32_t rank;
    memset(draw->low, -1, sizeof(*draw->low) * (size_t)draw->n);
    for (int32_t i = 0; i < draw->n; i++) {
        if (!next_number(&text, &draw->entry[i]) || !next_number(&text, &draw->score[i]) ||
            !next_number(&text, &draw->byes[i]) || !next_number(&text, &rank) || rank >= draw->n ||
            draw->low[rank] >= 0 || draw->score[i] > SRV_DRAW_SCORE_MAX ||
            (i > 0 && draw->score[i] > draw->score[i - 1]))
            return false;
        draw->low[rank] = i;
        places[i] = (struct place){draw->entry[i], i};
    }
    qsort(places, (size_t)draw->n, sizeof(*places), by_entry);
    for (int32_t i = 1; i < draw->n; i++)
        if (places[i].entry == places[i - 1].entry)
            return false;
    return *text == '\0';
}

/* Counts the past opponents of entrant i in met_at[i + 1]; if `met` is set, also writes them there. */
static bool read_tables(struct srv_draw *draw, const char *text, const struct place *places)
{
    while (text && *text) {
        int32_t n, entry[SRV_DRAW_SEATS_MAX], at[SRV_DRAW_SEATS_MAX];
        if (!next_number(&text, &n) || n < 1 || n > SRV_DRAW_SEATS_MAX)
            return false;
        for (int i = 0; i < n; i++) {
            if (!next_number(&text, &entry[i]))
                return false;
            for (int j = 0; j < i; j++)
                if (entry[j] == entry[i])
                    return false;
            at[i] = place_of(places, draw->n, entry[i]);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (i == j || at[i] < 0 || at[j] < 0)
                    continue;
                int32_t *end = &draw->met_at[at[i] + 1];
                if (draw->met)
                    draw->met[*end] = at[j];
                (*end)++;
            }
    }
    return true;
}

/* Reads the tables twice: first to count the past opponents of each entrant, then to store them. */
static bool read_met(struct srv_draw *draw, const char *text, const struct place *places)
{
    const size_t n = (size_t)draw->n;
    if (!read_tables(draw, text, places))
        return false;
    for (size_t i = 0; i < n; i++)
        draw->met_at[i + 1] += draw->met_at[i];
    draw->met = malloc(sizeof(*draw->met) * ((size_t)draw->met_at[n] + 1));
    if (!draw->met)
        return false;
    /* While writing, met_at[i + 1] is the next position for i; afterward it is the end of its list. */
    memmove(draw->met_at + 1, draw->met_at, sizeof(*draw->met_at) * n);
    const bool ok = read_tables(draw, text, places);
    for (size_t i = 0; i < n; i++)
        qsort(draw->met + draw->met_at[i], (size_t)(draw->met_at[i + 1] - draw->met_at[i]),
              sizeof(*draw->met), ascending);
    return ok;
}

bool srv_draw_read(struct srv_draw *draw, int n, int seats, const char *entrants, const char *tables)
{
    if (n < 1 || n > SRV_DRAW_MAX || seats < 2 || seats > SRV_DRAW_SEATS_MAX)
        return false;
    const size_t many = (size_t)n;
    struct place *places = calloc(many, sizeof(*places));
    int32_t *memory = calloc(5 * many + 1, sizeof(*memory));
    *draw = (struct srv_draw){.n = n, .seats = seats, .entry = memory};
    bool ok = places && memory;
    if (ok) {
        draw->score = memory + many;
        draw->byes = memory + 2 * many;
        draw->low = memory + 3 * many;
        draw->met_at = memory + 4 * many;
        ok = read_entrants(draw, entrants, places) && read_met(draw, tables, places);
    }
    free(places);
    if (!ok)
        srv_draw_drop(draw);
    return ok;
}

void srv_draw_drop(struct srv_draw *draw)
{
    free(draw->entry);
    free(draw->met);
    *draw = (struct srv_draw){0};
}
