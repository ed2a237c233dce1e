/* Chat with fake ports: allowed texts, the rate limit, and receivers. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(chat, only_listed_emotes_are_valid)
{
    cr_assert_geq(tab_chat_emote("hello"), 0);
    cr_assert_geq(tab_chat_emote("bye"), 0);
    cr_assert_eq(tab_chat_emote("Hello"), -1);
    cr_assert_eq(tab_chat_emote(""), -1);
}

/* Clients choose the ids, so they must not be able to craft collisions of the stored hashes. */
Test(chat, ids_with_equal_hashes_count_as_different_messages)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    const char *const ids[TAB_CHAT_BURST_MAX] = {"c693596", "b", "c", "d", "e"};
    for (int i = 0; i < TAB_CHAT_BURST_MAX; i++)
        cr_assert(tab_chat_may_speak(table, 0, ids[i]));
    cr_assert_not(tab_chat_may_speak(table, 0, "c1170850"), "both have the same 32-bit FNV-1a hash");
    fake_close(&fake);
}

Test(chat, each_seat_may_send_five_messages_in_ten_seconds)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    const char *const ids[TAB_CHAT_BURST_MAX] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < TAB_CHAT_BURST_MAX; i++) {
        cr_assert(tab_chat_may_speak(table, 0, ids[i]));
        fake_pass(&fake, 1000);
    }
    cr_assert_not(tab_chat_may_speak(table, 0, "f"));
    for (int i = 0; i < TAB_CHAT_BURST_MAX; i++)
        cr_assert(tab_chat_may_speak(table, 0, ids[i]), "a repeat gets its reply");
    cr_assert(tab_chat_may_speak(table, 1, "a"), "another seat has a separate limit");
    fake_pass(&fake, 4999);
    cr_assert_not(tab_chat_may_speak(table, 0, "f"));
    fake_pass(&fake, 1);
    cr_assert(tab_chat_may_speak(table, 0, "f"), "the first is ten seconds old");
    cr_assert_not(tab_chat_may_speak(table, 0, "g"));
    fake_close(&fake);
}

Test(chat, a_message_skips_players_who_muted_its_sender_but_not_spectators)
{
    struct tab_table *table = fake_open(&fake, 3, 4);
    for (uint8_t i = 0; i < 3; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    cr_assert(tab_spectate(table, &fake.sockets[4], -1, 0));
    const struct tab_chat_line line = {
        .id = 12, .unix_ms = 0, .seat = 0, .muted_at = 1u << 2, .text = "a \"b\""};
    tab_chat_send(table, &line);
    const char *frame = "{\"t\":\"chat\",\"d\":{\"id\":\"12\",\"seat\":0,\"text\":\"a \\\"b\\\"\",\"at\":"
                        "\"1970-01-01T00:00:00.000Z\"}}";
    cr_assert_str_eq(fake_last(&fake, 0), frame, "the sender sees that it was sent");
    cr_assert_str_eq(fake_last(&fake, 1), frame);
    cr_assert_eq(fake_count(&fake, 2, "chat"), 0);
    cr_assert_str_eq(fake_last(&fake, 4), frame);
    fake_close(&fake);
}
