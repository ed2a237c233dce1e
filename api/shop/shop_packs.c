/* GET /v1/shop/packs; see shop_packs.h. REST loops. */
#include "api/shop/shop_packs.h"

#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"
#include "base/clock.h"
#include "pay/pay.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PACKS_BYTES_MAX (16 * 1024)

struct api_packs {
    pthread_mutex_t lock;
    int64_t read_ms; /* monotonic; 0: never */
    char items[PACKS_BYTES_MAX];
};

struct api_packs *api_packs_new(void)
{
    struct api_packs *packs = calloc(1, sizeof(*packs));
    if (packs && pthread_mutex_init(&packs->lock, NULL) != 0) {
        free(packs);
        return NULL;
    }
    return packs;
}

void api_packs_free(struct api_packs *packs)
{
    if (!packs)
        return;
    (void)pthread_mutex_destroy(&packs->lock);
    free(packs);
}

static const struct db_stmt q_shop_packs = {"q_shop_packs", "SELECT body FROM q_shop_packs()", 0};

static enum api_next write_packs(struct api_request *request)
{
    struct api_packs *packs = request->env->packs;
    const struct pay_provider *provider;
    struct buf *out = api_reply_open(request, 200);
    (void)pthread_mutex_lock(&packs->lock);
    json_key(out, "items");
    json_raw(out, packs->items);
    (void)pthread_mutex_unlock(&packs->lock);
    json_key(out, "providers");
    json_open(out, '[');
    for (size_t i = 0; (provider = pay_provider_at(i)); i++)
        if (provider->open && provider->on(request->env->pay))
            json_text(out, provider->name);
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

static enum api_next keep_packs(struct api_request *request, const PGresult *rows)
{
    struct api_packs *packs = request->env->packs;
    const char *items = api_row_get(rows, 0, "body");
    size_t len = strlen(items);
    if (len >= PACKS_BYTES_MAX)
        return api_refuse(request, API_INTERNAL);
    (void)pthread_mutex_lock(&packs->lock);
    memcpy(packs->items, items, len + 1);
    packs->read_ms = clock_mono_ms();
    (void)pthread_mutex_unlock(&packs->lock);
    return write_packs(request);
}

static enum api_next begin_packs(struct api_request *request)
{
    struct api_packs *packs = request->env->packs;
    (void)pthread_mutex_lock(&packs->lock);
    bool fresh = packs->read_ms > 0 && clock_mono_ms() - packs->read_ms < API_PACKS_KEPT_MS;
    (void)pthread_mutex_unlock(&packs->lock);
    return fresh ? write_packs(request) : API_QUERY;
}

API_OPERATION(listPacks) = {.stmt = &q_shop_packs, .begin = begin_packs, .reply = keep_packs};
