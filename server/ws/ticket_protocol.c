/* Parses a list of subprotocols; see ticket_protocol.h. */
#include "server/ws/ticket_protocol.h"

#include <string.h>

#include "base/bug.h"

#define BETWEEN ", \t"

bool srv_ws_protocols_have(const char *offered, const char *protocol)
{
    for (const char *p = offered + strspn(offered, BETWEEN); *p; p += strspn(p, BETWEEN)) {
        size_t len = strcspn(p, BETWEEN);
        if (len == strlen(protocol) && memcmp(p, protocol, len) == 0)
            return true;
        p += len;
    }
    return false;
}

bool srv_ws_protocols_ticket(const char *offered, char *ticket, size_t cap)
{
    static const char prefix[] = "ticket.";
    bool found = false;
    ASSERT(cap > 0);
    ticket[0] = '\0';
    for (const char *p = offered + strspn(offered, BETWEEN); *p; p += strspn(p, BETWEEN)) {
        size_t len = strcspn(p, BETWEEN), skip = sizeof(prefix) - 1;
        bool is_ticket = len > skip && strncmp(p, prefix, skip) == 0;
        if (is_ticket && found)
            return false;
        if (is_ticket && len - skip < cap) {
            memcpy(ticket, p + skip, len - skip);
            ticket[len - skip] = '\0';
        }
        found |= is_ticket;
        p += len;
    }
    return true;
}
