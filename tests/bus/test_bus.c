/* The message parser, the URL parser, and the bus of a single node. For NATS see tests/nodes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bus/bus.h"

static bool read_text(const char *subject, const char *payload, struct bus_message *out)
{
    return bus_message_read(out, subject, payload, strlen(payload));
}

Test(message, each_kind_round_trips)
{
    for (int kind = 0; kind < BUS_KINDS_N; kind++) {
        bool of_all = kind == BUS_LOBBY || kind == BUS_PEOPLE || kind == BUS_CHECK_ALL;
        const struct bus_message said = {.kind = (enum bus_kind)kind, .id = of_all ? 0 : INT64_MAX};
        struct bus_message received = {.id = -1};
        char subject[BUS_SUBJECT_MAX];
        bus_message_write(&said, subject);
        cr_assert(read_text(subject, BUS_PAYLOAD, &received), "%s", subject);
        cr_assert_eq(received.kind, said.kind);
        cr_assert_eq(received.id, said.id);
    }
}

Test(message, subjects_have_fixed_names)
{
    char subject[BUS_SUBJECT_MAX];
    bus_message_write(&(struct bus_message){.kind = BUS_TABLE_CHANGED, .id = 17}, subject);
    cr_assert_str_eq(subject, "rummyd.table.17.changed");
    bus_message_write(&(struct bus_message){.kind = BUS_PLAYER_REVOKED, .id = 4}, subject);
    cr_assert_str_eq(subject, "rummyd.player.4.revoked");
    bus_message_write(&(struct bus_message){.kind = BUS_LOBBY}, subject);
    cr_assert_str_eq(subject, "rummyd.lobby");
}

Test(message, everything_else_is_refused)
{
    static const char *const subjects[] = {
        "",
        "rummyd",
        "rummyd.",
        "rummyd.table",
        "rummyd.table.",
        "rummyd.table.17",
        "rummyd.table.17.",
        "rummyd.table.17.changed.",
        "rummyd.table.17.changed.x",
        "rummyd.table.17.Changed",
        "rummyd.table.17.revoked",
        "rummyd.table..changed",
        "rummyd.table.0.changed",
        "rummyd.table.-1.changed",
        "rummyd.table.+1.changed",
        "rummyd.table.017.changed",
        "rummyd.table. 17.changed",
        "rummyd.table.17 .changed",
        "rummyd.table.1e3.changed",
        "rummyd.table.9223372036854775808.changed",
        "rummyd.table.99999999999999999999999999.changed",
        "rummyd.tables.17.changed",
        "rummyd.tabl.17.changed",
        "rummyd.lobby.7",
        "rummyd.lobby.7.changed",
        "rummyd.lobby.",
        "rummyd.look.1",
        "rummy.table.17.changed",
        "rummyd.table.17.changed                                          ",
    };
    struct bus_message message = {.kind = BUS_CHECK_ALL, .id = 5};
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
        cr_assert_not(read_text(subjects[i], BUS_PAYLOAD, &message), "%s", subjects[i]);
    static const char *const payloads[] = {"", "0", "2", "11", "1 ", " 1", "{}"};
    for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++)
        cr_assert_not(read_text("rummyd.table.17.changed", payloads[i], &message), "\"%s\"", payloads[i]);
    cr_assert_eq(message.kind, BUS_CHECK_ALL, "unchanged");
    cr_assert_eq(message.id, 5);
}

/* ---- URLs ---- */
Test(url, urls_are_classified)
{
    static const struct {
        const char *url;
        enum bus_url check;
    } cases[] = {
        {"nats://a:b@localhost", BUS_URL_OK},
        {"nats://a:b@127.0.0.1:4222", BUS_URL_OK},
        {"nats://a:b@[::1]:4222", BUS_URL_OK},
        {"tls://a:b@bus.example:4222", BUS_URL_OK},
        {"tls://a:b@one.example,tls://c:d@two.example:1", BUS_URL_OK},
        {"nats://a:b@bus.example", BUS_URL_EXPOSED},
        {"nats://a:b@localhost,nats://a:b@bus.example", BUS_URL_EXPOSED},
        {"nats://localhost", BUS_URL_NAMELESS},
        {"tls://one.example", BUS_URL_NAMELESS},
        {"tls://a:b@one.example,nats://a:b@localhost", BUS_URL_BAD},
        {"", BUS_URL_BAD},
        {"nats://", BUS_URL_BAD},
        {"nats://a:b@", BUS_URL_BAD},
        {"nats://a@localhost", BUS_URL_BAD},
        {"nats://:b@localhost", BUS_URL_BAD},
        {"nats://a:@localhost", BUS_URL_BAD},
        {"nats://a:b@localhost:", BUS_URL_BAD},
        {"nats://a:b@localhost:0", BUS_URL_BAD},
        {"nats://a:b@localhost:65536", BUS_URL_BAD},
        {"nats://a:b@localhost:4222/x", BUS_URL_BAD},
        {"nats://a:b@local host", BUS_URL_BAD},
        {"nats://a:b@[::1", BUS_URL_BAD},
        {"nats://a:b@localhost,", BUS_URL_BAD},
        {",nats://a:b@localhost", BUS_URL_BAD},
        {"http://a:b@localhost", BUS_URL_BAD},
        {"localhost:4222", BUS_URL_BAD},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_assert_eq(bus_url_check(cases[i].url), cases[i].check, "%s", cases[i].url);
}

Test(url, the_number_of_servers_is_limited)
{
    char url[BUS_URL_MAX] = "";
    for (int i = 0; i < BUS_SERVERS_MAX; i++)
        (void)snprintf(url + strlen(url), sizeof(url) - strlen(url), "%snats://a:b@localhost:%d",
                       i ? "," : "", 4000 + i);
    cr_assert_eq(bus_url_check(url), BUS_URL_OK);
    (void)snprintf(url + strlen(url), sizeof(url) - strlen(url), ",nats://a:b@localhost:1");
    cr_assert_eq(bus_url_check(url), BUS_URL_BAD);
    static char long_one[BUS_URL_MAX + 32] = "nats://a:b@";
    memset(long_one + strlen(long_one), 'h', BUS_URL_MAX);
    cr_assert_eq(bus_url_check(long_one), BUS_URL_BAD);
}

/* ---- The bus ---- */
struct ear {
    int received, own, counted, up;
    struct bus_message last;
};

static void received(void *ctx, const struct bus_message *message, bool own)
{
    struct ear *ear = ctx;
    ear->received++;
    ear->own += own;
    ear->last = *message;
}

static void count(void *ctx, enum bus_count what, int64_t n)
{
    struct ear *ear = ctx;
    (void)what;
    ear->counted += (int)n;
}

static void up(void *ctx, bool is_up)
{
    struct ear *ear = ctx;
    ear->up = is_up;
}

Test(bus, a_local_bus_delivers_its_own_messages)
{
    struct ear ear = {0};
    struct bus_port *bus =
        bus_local(&(struct bus_ports){.ctx = &ear, .received = received, .count = count, .up = up});
    cr_assert_not_null(bus);
    cr_assert_eq(ear.up, 1);
    bus_publish(bus, BUS_TABLE_CANCEL, 9);
    cr_assert_eq(ear.received, 1);
    cr_assert_eq(ear.own, 1);
    cr_assert_eq(ear.last.kind, BUS_TABLE_CANCEL);
    cr_assert_eq(ear.last.id, 9);
    bus_stop(bus);
    bus_publish(bus, BUS_TABLE_CANCEL, 9);
    cr_assert_eq(ear.received, 1, "nothing is delivered after the stop");
    cr_assert_eq(ear.counted, 0);
    bus_free(bus);
}

/* No server listens on this port: the sender receives its own message, which is counted as dropped, and the
 * bus stops promptly. */
Test(bus, without_a_server_only_own_messages_are_delivered_and_drops_counted, .timeout = 60)
{
    struct ear ear = {.up = 1};
    const char *why = NULL;
    struct bus_port *bus =
        bus_nats(&(struct bus_nats_options){.url = "nats://a:b@127.0.0.1:1", .ca = "", .name = "n1"},
                 &(struct bus_ports){.ctx = &ear, .received = received, .count = count, .up = up}, &why);
    cr_assert_not_null(bus, "%s", why);
    for (int i = 0; i < BUS_QUEUE_MAX + 10; i++)
        bus_publish(bus, BUS_LOBBY, 0);
    cr_assert_eq(ear.own, BUS_QUEUE_MAX + 10);
    bus_stop(bus);
    cr_assert_eq(ear.counted, BUS_QUEUE_MAX + 10);
    cr_assert_eq(ear.up, 0);
    bus_free(bus);
}

Test(bus, a_missing_certificate_file_is_refused)
{
    struct ear ear = {0};
    const char *why = NULL;
    cr_assert_null(bus_nats(
        &(struct bus_nats_options){.url = "tls://a:b@127.0.0.1:1", .ca = "/nowhere.pem", .name = "n1"},
        &(struct bus_ports){.ctx = &ear, .received = received, .count = count, .up = up}, &why));
    cr_assert_not_null(why);
}
