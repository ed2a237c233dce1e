/* A sorted list under a lock; see bans.h. Most of the time it is empty. */
#include "api/bans.h"

#include "db/pg.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct api_bans {
    pthread_mutex_t lock;
    uint64_t changes;
    size_t n;
    int64_t ids[API_BANS_MAX]; /* ascending */
};

struct api_bans *api_bans_new(void)
{
    struct api_bans *bans = calloc(1, sizeof(*bans));
    if (bans && pthread_mutex_init(&bans->lock, NULL) != 0) {
        free(bans);
        return NULL;
    }
    return bans;
}

void api_bans_free(struct api_bans *bans)
{
    if (!bans)
        return;
    (void)pthread_mutex_destroy(&bans->lock);
    free(bans);
}

/* Where the id is, or would be. */
static size_t place_of(const struct api_bans *bans, int64_t id)
{
    size_t low = 0, high = bans->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bans->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool api_bans_have(struct api_bans *bans, int64_t player_id)
{
    (void)pthread_mutex_lock(&bans->lock);
    size_t at = place_of(bans, player_id);
    bool have = at < bans->n && bans->ids[at] == player_id;
    (void)pthread_mutex_unlock(&bans->lock);
    return have;
}

void api_bans_set(struct api_bans *bans, int64_t player_id, bool banned)
{
    (void)pthread_mutex_lock(&bans->lock);
    size_t at = place_of(bans, player_id);
    bool have = at < bans->n && bans->ids[at] == player_id;
    int64_t *place = bans->ids + at;
    bool full = banned && !have && bans->n == API_BANS_MAX; /* the next rows will have room for him */
    if (banned && !have && !full) {
        memmove(place + 1, place, (bans->n - at) * sizeof(*place));
        *place = player_id;
        bans->n++;
    } else if (!banned && have) {
        memmove(place, place + 1, (bans->n - at - 1) * sizeof(*place));
        bans->n--;
    }
    bans->changes += !full;
    (void)pthread_mutex_unlock(&bans->lock);
}

uint64_t api_bans_changes(struct api_bans *bans)
{
    (void)pthread_mutex_lock(&bans->lock);
    uint64_t changes = bans->changes;
    (void)pthread_mutex_unlock(&bans->lock);
    return changes;
}

void api_bans_replace(struct api_bans *bans, const PGresult *rows, uint64_t changes)
{
    (void)pthread_mutex_lock(&bans->lock);
    if (bans->changes == changes) {
        int n = PQntuples(rows);
        bans->n = n < API_BANS_MAX ? (size_t)n : API_BANS_MAX;
        for (size_t i = 0; i < bans->n; i++)
            bans->ids[i] = db_i64(rows, (int)i, 0);
    }
    (void)pthread_mutex_unlock(&bans->lock);
}
