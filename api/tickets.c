/* Tickets between rows and answers; see tickets.h. */
#include "api/tickets.h"

#include "api/rows.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>

void ticket_bind_new(struct api_call *call)
{
    uint8_t id[TICKET_ID_LEN];
    randombytes_buf(id, sizeof(id));
    db_args_uuid(&call->args, id);
}

/* "5f0c6cf2-b8f8-…" as the database writes it. */
static bool read_uuid(const char *text, uint8_t id[TICKET_ID_LEN])
{
    char hex[2 * TICKET_ID_LEN];
    size_t n = 0;
    for (; *text; text++) {
        if (*text == '-')
            continue;
        if (n == sizeof(hex))
            return false;
        hex[n++] = *text;
    }
    return text_unhex(id, TICKET_ID_LEN, hex, n) == TICKET_ID_LEN;
}

bool ticket_from_row(const struct api_call *call, const PGresult *rows, char ticket[TICKET_TEXT_MAX])
{
    uint8_t id[TICKET_ID_LEN];
    const char *uuid = row_get(rows, 0, "ticket");
    if (!uuid || !read_uuid(uuid, id))
        return false;
    ticket_write(&call->env->keys, id, ticket);
    return true;
}

void ticket_put_url(const struct api_call *call, struct buf *out, const char *path)
{
    char url[600];
    (void)snprintf(url, sizeof(url), "%s%s", call->env->ws_url, path);
    json_kv_text(out, "ws_url", url);
}
