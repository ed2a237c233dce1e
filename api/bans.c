/* A sorted list under a lock; see bans.h. Most of the time it is empty. */
#include "api/bans.h"

#include "base/bug.h"
#include "db/pg.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct api_bans {
    pthread_mutex_t lock;
    uint64_t changes;
    size_t n;
    struct ban {
        int64_t id;
        bool told;
    } list[API_BANS_MAX]; /* ids ascending */
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
        if (bans->list[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL: not in the list. */
static struct ban *find(struct api_bans *bans, int64_t id)
{
    struct ban *ban = bans->list + place_of(bans, id);
    return ban < bans->list + bans->n && ban->id == id ? ban : NULL;
}

bool api_bans_have(struct api_bans *bans, int64_t player_id)
{
    (void)pthread_mutex_lock(&bans->lock);
    bool have = find(bans, player_id) != NULL;
    (void)pthread_mutex_unlock(&bans->lock);
    return have;
}

bool api_bans_told(struct api_bans *bans, int64_t player_id)
{
    (void)pthread_mutex_lock(&bans->lock);
    const struct ban *ban = find(bans, player_id);
    bool told = ban && ban->told;
    (void)pthread_mutex_unlock(&bans->lock);
    return told;
}

void api_bans_add(struct api_bans *bans, int64_t player_id, bool told)
{
    (void)pthread_mutex_lock(&bans->lock);
    struct ban *ban = find(bans, player_id);
    if (ban) {
        ban->told = ban->told || told;
        bans->changes++;
    } else if (bans->n < API_BANS_MAX) { /* else: the next rows will have room */
        ban = bans->list + place_of(bans, player_id);
        memmove(ban + 1, ban, (size_t)(bans->list + bans->n - ban) * sizeof(*ban));
        *ban = (struct ban){.id = player_id, .told = told};
        bans->n++;
        ASSERT(ban == find(bans, player_id)); /* in its place: the list is still in order */
        bans->changes++;
    }
    (void)pthread_mutex_unlock(&bans->lock);
}

void api_bans_remove(struct api_bans *bans, int64_t player_id)
{
    (void)pthread_mutex_lock(&bans->lock);
    struct ban *ban = find(bans, player_id);
    if (ban) {
        bans->n--;
        memmove(ban, ban + 1, (size_t)(bans->list + bans->n - ban) * sizeof(*ban));
    }
    bans->changes++;
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
        for (size_t i = 0; i < bans->n; i++) {
            bans->list[i] = (struct ban){.id = db_i64(rows, (int)i, 0), .told = true};
            ASSERT(i == 0 || bans->list[i - 1].id < bans->list[i].id);
        }
    }
    (void)pthread_mutex_unlock(&bans->lock);
}
