/* Neglected work; see overdue.h. */
#include "api/ops/overdue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 1024

struct api_overdue {
    pthread_mutex_t lock;
    char names[NAMES_MAX];
    int64_t lost_tables;
};

struct api_overdue *api_overdue_new(void)
{
    struct api_overdue *overdue = calloc(1, sizeof(*overdue));
    if (overdue && pthread_mutex_init(&overdue->lock, NULL) != 0) {
        free(overdue);
        return NULL;
    }
    if (overdue)
        (void)snprintf(overdue->names, sizeof(overdue->names), "[]");
    return overdue;
}

void api_overdue_free(struct api_overdue *overdue)
{
    if (!overdue)
        return;
    (void)pthread_mutex_destroy(&overdue->lock);
    free(overdue);
}

void api_overdue_set(struct api_overdue *overdue, const char *names, int64_t lost_tables)
{
    size_t len = strlen(names);
    if (len >= NAMES_MAX)
        return;
    (void)pthread_mutex_lock(&overdue->lock);
    memcpy(overdue->names, names, len + 1);
    overdue->lost_tables = lost_tables;
    (void)pthread_mutex_unlock(&overdue->lock);
}

void api_overdue_write(struct api_overdue *overdue, struct buf *out)
{
    (void)pthread_mutex_lock(&overdue->lock);
    json_key(out, "jobs_overdue");
    json_raw(out, overdue->names);
    json_kv_num(out, "lost_tables", overdue->lost_tables);
    (void)pthread_mutex_unlock(&overdue->lock);
}
