/* Tickets between rows and responses; see ticket_rows.h. */
#include "api/play/ticket_rows.h"

#include "api/core/rows.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

void api_ticket_bind_new(struct api_request *request)
{
    uint8_t id[API_TICKET_ID_LEN];
    randombytes_buf(id, sizeof(id));
    db_args_uuid(&request->args, id);
}

/* Parses the database's format, "5f0c6cf2-b8f8-…". */
static bool read_uuid(const char *text, uint8_t id[API_TICKET_ID_LEN])
{
    char hex[2 * API_TICKET_ID_LEN];
    size_t n = 0;
    for (; *text; text++) {
        if (*text == '-')
            continue;
        if (n == sizeof(hex))
            return false;
        hex[n++] = *text;
    }
    return text_unhex(id, API_TICKET_ID_LEN, hex, n) == API_TICKET_ID_LEN;
}

bool api_ticket_from_row(const struct api_request *request, const PGresult *rows,
                         char ticket[API_TICKET_TEXT_MAX])
{
    uint8_t id[API_TICKET_ID_LEN];
    const char *uuid = api_row_get(rows, 0, "ticket");
    if (!uuid || !read_uuid(uuid, id))
        return false;
    api_ticket_write(&request->env->keys, id, request->session_id, request->scopes, ticket);
    ASSERT(strlen(ticket) == API_TICKET_TEXT_MAX - 1);
    return true;
}

void api_ticket_put_url(const struct api_request *request, struct buf *out, const char *base,
                        const char *path)
{
    char url[600];
    ASSERT(path[0] == '/');
    int len = snprintf(url, sizeof(url), "%s%s", base ? base : request->env->ws_url, path);
    ASSERT(len > 0 && (size_t)len < sizeof(url));
    json_kv_text(out, "ws_url", url);
}
