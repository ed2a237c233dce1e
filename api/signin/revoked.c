/* Two sorted lists, each with a lock; see revoked.h. The lists are usually short. */
#include "api/signin/revoked.h"

#include "base/bug.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct list {
    pthread_mutex_t lock;
    uint64_t changes;
    size_t n;
    int64_t ids[API_REVOKED_MAX]; /* ascending */
};

struct api_revoked {
    const struct api_revoked_watch *_Atomic watch;
    struct list lists[API_REVOKED_KINDS_N];
};

struct api_revoked *api_revoked_new(void)
{
    struct api_revoked *revoked = calloc(1, sizeof(*revoked));
    for (size_t i = 0; revoked && i < API_REVOKED_KINDS_N; i++) {
        if (pthread_mutex_init(&revoked->lists[i].lock, NULL) == 0)
            continue;
        while (i-- > 0)
            (void)pthread_mutex_destroy(&revoked->lists[i].lock);
        free(revoked);
        return NULL;
    }
    return revoked;
}

void api_revoked_free(struct api_revoked *revoked)
{
    if (!revoked)
        return;
    for (size_t i = 0; i < API_REVOKED_KINDS_N; i++)
        (void)pthread_mutex_destroy(&revoked->lists[i].lock);
    free(revoked);
}

void api_revoked_watch(struct api_revoked *revoked, const struct api_revoked_watch *watch)
{
    atomic_store(&revoked->watch, watch);
}

static void notify_watch(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id)
{
    const struct api_revoked_watch *watch = atomic_load(&revoked->watch);
    if (watch)
        watch->changed(watch->ctx, kind, id);
}

static struct list *lock(struct api_revoked *revoked, enum api_revoked_kind kind)
{
    struct list *list = &revoked->lists[kind];
    (void)pthread_mutex_lock(&list->lock);
    return list;
}

static void unlock(struct list *list)
{
    (void)pthread_mutex_unlock(&list->lock);
}

/* The index of the id, or the index at which to insert it. */
static size_t place_of(const struct list *list, int64_t id)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool stands_at(const struct list *list, size_t place, int64_t id)
{
    return place < list->n && list->ids[place] == id;
}

bool api_revoked_has(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id)
{
    struct list *list = lock(revoked, kind);
    bool has = stands_at(list, place_of(list, id), id);
    unlock(list);
    return has;
}

void api_revoked_add(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id)
{
    struct list *list = lock(revoked, kind);
    size_t place = place_of(list, id);
    if (stands_at(list, place, id)) {
        list->changes++;                    /* rows queried earlier may lack it */
    } else if (list->n < API_REVOKED_MAX) { /* if the list is full, the next rows will include the id */
        memmove(list->ids + place + 1, list->ids + place, (list->n - place) * sizeof(list->ids[0]));
        list->ids[place] = id;
        list->n++;
        list->changes++;
        ASSERT(place + 1 == list->n || list->ids[place + 1] > id);
    }
    unlock(list);
    notify_watch(revoked, kind, id);
}

void api_revoked_remove(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id)
{
    struct list *list = lock(revoked, kind);
    size_t place = place_of(list, id);
    if (stands_at(list, place, id)) {
        list->n--;
        memmove(list->ids + place, list->ids + place + 1, (list->n - place) * sizeof(list->ids[0]));
    }
    list->changes++;
    unlock(list);
    notify_watch(revoked, kind, id);
}

uint64_t api_revoked_changes(struct api_revoked *revoked, enum api_revoked_kind kind)
{
    struct list *list = lock(revoked, kind);
    uint64_t changes = list->changes;
    unlock(list);
    return changes;
}

static const struct db_stmt q_banned_players = {"q_banned_players", "SELECT id FROM q_banned_players($1)", 1};
static const struct db_stmt q_ended_sessions = {"q_ended_sessions", "SELECT id FROM q_ended_sessions($1)", 1};

const struct db_stmt *api_revoked_stmt(enum api_revoked_kind kind)
{
    return kind == API_BANNED_PLAYERS ? &q_banned_players : &q_ended_sessions;
}

void api_revoked_replace(struct api_revoked *revoked, enum api_revoked_kind kind, const PGresult *rows,
                         uint64_t changes)
{
    struct list *list = lock(revoked, kind);
    bool news = false;
    if (list->changes == changes) {
        size_t n = (size_t)PQntuples(rows);
        bool same = n == list->n;
        list->n = n < API_REVOKED_MAX ? n : API_REVOKED_MAX;
        for (size_t i = 0; i < list->n; i++) {
            int64_t id = db_i64(rows, (int)i, 0);
            same = same && list->ids[i] == id;
            list->ids[i] = id;
            ASSERT(i == 0 || list->ids[i - 1] < id);
        }
        list->changes += !same;
        news = !same;
    }
    unlock(list);
    if (news)
        notify_watch(revoked, kind, 0);
}
