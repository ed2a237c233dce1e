/* The hub's letter boxes; see hub_mail.h. */
#include <stdlib.h>

#include "base/bug.h"
#include "server/hub_in.h"
#include "server/hub_mail.h"

struct rematch {
    int64_t old_table, new_table;
    int seat;
};

bool hub_mail_init(struct srv_hub *hub)
{
    return ring_init(&hub->mailbox, HUB_MAILBOX_MAX) == 0 &&
           ring_init(&hub->rematches, HUB_REMATCHES_MAX) == 0;
}

void srv_hub_table_changed(struct srv_hub *hub, int64_t table_id)
{
    if (ring_push(&hub->mailbox, (void *)(intptr_t)table_id))
        ev_async_send(hub->loop, &hub->wake);
}

void srv_hub_rematch(struct srv_hub *hub, int64_t old_table, int64_t new_table, int seat)
{
    struct rematch *rematch = malloc(sizeof(*rematch));
    if (!rematch)
        return;
    *rematch = (struct rematch){.old_table = old_table, .new_table = new_table, .seat = seat};
    if (ring_push(&hub->rematches, rematch))
        ev_async_send(hub->loop, &hub->wake);
    else
        free(rematch);
}

static void take_rematches(struct srv_hub *hub, bool heed)
{
    void *mail[64];
    size_t n;
    do {
        n = ring_take(&hub->rematches, mail, ARRAY_LEN(mail));
        for (size_t i = 0; i < n; i++) {
            const struct rematch *rematch = mail[i];
            struct tab_table *table = heed ? tab_hall_find(&hub->hall, rematch->old_table) : NULL;
            if (table)
                tab_rematch(table, rematch->new_table, (uint8_t)rematch->seat);
            free(mail[i]);
        }
    } while (n == ARRAY_LEN(mail));
}

void hub_mail_take(struct srv_hub *hub)
{
    void *mail[64];
    size_t n;
    do {
        n = ring_take(&hub->mailbox, mail, ARRAY_LEN(mail));
        for (size_t i = 0; i < n; i++)
            hub_load(hub, (int64_t)(intptr_t)mail[i]);
    } while (n == ARRAY_LEN(mail));
    take_rematches(hub, true);
}

void hub_mail_free(struct srv_hub *hub)
{
    take_rematches(hub, false);
    ring_free(&hub->rematches);
    ring_free(&hub->mailbox);
}
