/* A client that connects gets what it is missing, and only durable state. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(seats, clients_can_resume_from_every_version)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int turn = 0; turn < 120; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    cr_assert_gt(table->sent_v, TAB_EVENTS_MAX + 20, "some are no longer held");
    /* Seat 1 must again get exactly the events that it received live. */
    const struct srv_socket *live = &fake.sockets[1];
    for (int64_t since = -1; since <= table->sent_v + 1; since++) {
        struct srv_socket *again = &fake.sockets[5];
        fake_forget(&fake, 5);
        again->close_code = 0;
        tab_join(table, 1, again, since);
        bool held = since > 0 && since <= table->sent_v && table->sent_v - since <= TAB_EVENTS_MAX;
        if (!held) {
            HAS(again->frames[0], "{\"t\":\"snapshot\"");
            tab_quit(table, 1, again);
            continue;
        }
        uint32_t v = (uint32_t)since;
        int at = 0;
        for (int k = 0; k < live->n; k++) {
            unsigned event_v;
            if (sscanf(live->frames[k], "{\"v\":%u", &event_v) == 1 && event_v > v)
                cr_assert_str_eq(again->frames[at++], live->frames[k]);
        }
        cr_assert_eq((uint32_t)at, table->sent_v - (v > 5 ? v : 5) + (v < 5 ? 5 - v : 0));
        tab_quit(table, 1, again);
    }
    fake_close(&fake);
}

Test(seats, a_new_connection_waits_for_the_pending_write)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    uint8_t other = (uint8_t)((next.seat + 1) % 4);
    tab_join(table, other, &fake.sockets[6], -1);
    cr_assert_eq(fake.sockets[other].close_code, WIRE_CLOSE_REPLACED);
    cr_assert_eq(fake.sockets[6].n, 0, "what it would be shown is not durable yet");
    cr_assert(fake_commit(&fake));
    HAS(fake.sockets[6].frames[0], "{\"t\":\"snapshot\",\"v\":7");
    fake_close(&fake);
}
