/* See draw.h: picks the bye and seats the others. */
#include "server/draw/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

static bool may_be_alone(const struct srv_draw *draw, int32_t i, int32_t fewest)
{
    return draw->byes[i] == fewest;
}

static int32_t fewest_byes(const struct srv_draw *draw)
{
    int32_t fewest = draw->byes[0];
    for (int i = 1; i < draw->n; i++)
        fewest = draw->byes[i] < fewest ? draw->byes[i] : fewest;
    return fewest;
}

static int others_than(const struct srv_draw *draw, int32_t alone, int32_t *who)
{
    int n = 0;
    for (int32_t i = 0; i < draw->n; i++)
        if (i != alone)
            who[n++] = i;
    return n;
}

static void take(const struct srv_draw *draw, struct srv_drawn *drawn, const int32_t *pairs, int32_t alone,
                 int64_t repeats)
{
    for (int i = 0; i < draw->n - (alone >= 0); i++)
        drawn->order[i] = draw->entry[pairs[i]];
    if (alone >= 0)
        drawn->order[draw->n - 1] = draw->entry[alone];
    drawn->repeats = repeats;
}

/* With an odd number of entrants, one gets a bye: the first in `low`, among those with the fewest byes,
 * whose absence leaves the fewest repeats. With more than a few dozen entrants, the first one usually leaves
 * none. */
static bool make_pairs(const struct srv_draw *draw, struct srv_drawn *drawn)
{
    int32_t *who = malloc(sizeof(*who) * 2 * (size_t)draw->n);
    if (!who)
        return false;
    int32_t *pairs = who + draw->n;
    int64_t repeats = 0;
    bool ok = true;
    drawn->least = true;
    if (draw->n % 2 == 0) {
        ok = srv_draw_pairs(draw, who, others_than(draw, -1, who), pairs, &repeats);
        if (ok)
            take(draw, drawn, pairs, -1, repeats);
    } else {
        const int32_t fewest = fewest_byes(draw);
        int tried = 0;
        drawn->repeats = -1;
        for (int i = 0; ok && i < draw->n && drawn->repeats != 0; i++) {
            if (!may_be_alone(draw, draw->low[i], fewest))
                continue;
            if (tried++ == SRV_DRAW_BYES_MAX) {
                drawn->least = false;
                break;
            }
            ok = srv_draw_pairs(draw, who, others_than(draw, draw->low[i], who), pairs, &repeats);
            if (ok && (drawn->repeats < 0 || repeats < drawn->repeats))
                take(draw, drawn, pairs, draw->low[i], repeats);
        }
    }
    free(who);
    return ok;
}

bool srv_draw_make(const struct srv_draw *draw, struct srv_drawn *drawn)
{
    ASSERT(draw->n >= 1 && draw->n <= SRV_DRAW_MAX);
    ASSERT(draw->seats >= 2 && draw->seats <= SRV_DRAW_SEATS_MAX);
    return draw->seats == 2 ? make_pairs(draw, drawn) : srv_draw_tables(draw, drawn);
}
