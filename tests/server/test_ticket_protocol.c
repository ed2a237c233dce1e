/* The ticket among the subprotocols that a client offers. */
#include <criterion/criterion.h>
#include <string.h>

#include "server/ws/ticket_protocol.h"

static const char *ticket_of(const char *offered)
{
    static char ticket[8];
    memset(ticket, 'x', sizeof(ticket));
    return srv_ws_protocols_ticket(offered, ticket, sizeof(ticket)) ? ticket : "two";
}

Test(ticket_protocol, the_ticket_follows_its_prefix)
{
    cr_assert_str_eq(ticket_of("rummy.v1, ticket.a.b"), "a.b");
    cr_assert_str_eq(ticket_of("rummy.v1,ticket.a"), "a");
    cr_assert_str_eq(ticket_of("ticket.a , rummy.v1"), "a");
    cr_assert_str_eq(ticket_of(",, rummy.v1 ,\tticket.1234567,"), "1234567");
}

Test(ticket_protocol, a_missing_ticket_is_empty)
{
    cr_assert_str_eq(ticket_of(""), "");
    cr_assert_str_eq(ticket_of("rummy.v1"), "");
    cr_assert_str_eq(ticket_of("rummy.v1, ticket."), "");
    cr_assert_str_eq(ticket_of("rummy.v1, Ticket.a, xticket.b, ticket"), "");
    cr_assert_str_eq(ticket_of("rummy.v1, ticket.12345678"), "", "a ticket that is too long is dropped");
}

Test(ticket_protocol, two_tickets_are_refused)
{
    cr_assert_str_eq(ticket_of("rummy.v1, ticket.a, ticket.b"), "two");
    cr_assert_str_eq(ticket_of("ticket.12345678, rummy.v1, ticket.a"), "two");
}

Test(ticket_protocol, our_protocol_is_found_in_the_list)
{
    static const char *const with[] = {"rummy.v1", "x, rummy.v1", "ticket.a,rummy.v1\t,", ",,rummy.v1 x"};
    static const char *const without[] = {"",          ", ,",       "rummy.v2", "Rummy.v1",
                                          "rummy.v10", "xrummy.v1", "rummy"};
    for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
        cr_assert(srv_ws_protocols_have(with[i], SRV_WS_PROTOCOL), "%s", with[i]);
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        cr_assert(!srv_ws_protocols_have(without[i], SRV_WS_PROTOCOL), "%s", without[i]);
}
