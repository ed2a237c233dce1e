/* The hub's mailboxes; see mailbox.h. */
#include "server/hub/mailbox.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/hub/load.h"
#include "server/hub/redemption.h"

bool srv_hub_mailbox_init(struct srv_hub *hub)
{
    return ring_init(&hub->mailbox, HUB_MAILBOX_MAX) == 0 && ring_init(&hub->adopted, HUB_ADOPTED_MAX) == 0 &&
           srv_hub_news_init(&hub->news);
}

static void post_id(struct srv_hub *hub, struct ring *box, int64_t id)
{
    ASSERT(id > 0);
    if (ring_push(box, (void *)(intptr_t)id))
        ev_async_send(hub->loop, &hub->wake);
}

void srv_hub_table_changed(struct srv_hub *hub, int64_t table_id)
{
    post_id(hub, &hub->mailbox, table_id);
}

void srv_hub_adopted(struct srv_hub *hub, int64_t table_id)
{
    post_id(hub, &hub->adopted, table_id);
}

static void take_ids(struct srv_hub *hub, struct ring *box, void (*apply)(struct srv_hub *hub, int64_t id))
{
    void *mail[64];
    size_t n;
    do {
        n = ring_take(box, mail, ARRAY_LEN(mail));
        for (size_t i = 0; i < n; i++)
            apply(hub, (int64_t)(intptr_t)mail[i]);
    } while (n == ARRAY_LEN(mail));
}

static void take_adopted(struct srv_hub *hub)
{
    void *mail[64];
    int64_t ids[ARRAY_LEN(mail)];
    size_t n;
    do {
        n = ring_take(&hub->adopted, mail, ARRAY_LEN(mail));
        for (size_t i = 0; i < n; i++)
            ids[i] = (int64_t)(intptr_t)mail[i];
        if (n > 0 && !srv_hub_adopt(hub, ids, n, NULL, NULL))
            log_warn("adopted_later", LOG_NUM("tables", (int64_t)n)); /* loaded when a client connects */
    } while (n == ARRAY_LEN(mail));
}

void srv_hub_mailbox_take(struct srv_hub *hub)
{
    ASSERT(thread_is(THREAD_HUB) && !hub->draining);
    if (ring_len(&hub->mailbox) > 0)
        srv_lobby_changed(hub->lobby);
    take_ids(hub, &hub->mailbox, srv_hub_load);
    take_adopted(hub);
    srv_hub_news_take(hub);
}

void srv_hub_mailbox_free(struct srv_hub *hub)
{
    srv_hub_news_free(&hub->news);
    ring_free(&hub->adopted);
    ring_free(&hub->mailbox);
}
