/* Remembered replies. */
#include "tables/command_replies.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/bug.h"

Test(command_replies, the_first_reply_to_each_recent_command_is_kept)
{
    static struct tab_command_replies replies;
    struct tab_command_reply reply;
    char id[TAB_COMMAND_ID_MAX];
    cr_assert(!tab_command_replies_find(&replies, "", &reply));
    for (unsigned i = 0; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        cr_assert(!tab_command_replies_find(&replies, id, &reply));
        if (i % 2) {
            tab_command_replies_ack(&replies, id, i);
        } else {
            struct eng_outcome out = {.code = ENG_NOT_YOUR_TURN, .refused_n = 2, .refused = {4, 5}};
            tab_command_replies_nack(&replies, id, &out);
        }
    }
    for (unsigned i = 2 * TAB_COMMAND_REPLIES_MAX; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        cr_assert(tab_command_replies_find(&replies, id, &reply));
        cr_assert_eq(reply.code, i % 2 ? ENG_OK : ENG_NOT_YOUR_TURN);
        if (i % 2)
            cr_assert_eq(reply.v, i);
        else
            cr_assert(reply.cards_n == 2 && reply.cards[1] == 5);
    }
    (void)snprintf(id, sizeof(id), "c-%d", 2 * TAB_COMMAND_REPLIES_MAX - 1);
    cr_assert(!tab_command_replies_find(&replies, id, &reply), "older ones are forgotten");
    tab_command_replies_free(&replies);
}

Test(command_replies, similar_ids_are_distinguished)
{
    static struct tab_command_replies replies;
    struct tab_command_reply reply;
    static const char *const ids[] = {"a",
                                      "aa",
                                      "b",
                                      "ab",
                                      "ba",
                                      "0123456-",
                                      "0123456-0",
                                      "00000000-0000-4000-8000-000000000001",
                                      "00000000-0000-4000-8000-000000000010",
                                      "10000000-0000-4000-8000-000000000000"};
    for (uint32_t i = 0; i < ARRAY_LEN(ids); i++) {
        cr_assert(!tab_command_replies_find(&replies, ids[i], &reply), "%s", ids[i]);
        tab_command_replies_ack(&replies, ids[i], i);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(ids); i++)
        cr_assert(tab_command_replies_find(&replies, ids[i], &reply) && reply.v == i, "%s", ids[i]);
}
