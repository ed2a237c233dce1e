/* The replies that are remembered. */
#include "tables/command_replies.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(command_replies, the_first_reply_is_kept_for_the_last_commands)
{
    static struct tab_command_replies replies;
    char id[TAB_COMMAND_ID_MAX];
    cr_assert_null(tab_command_replies_find(&replies, ""));
    for (unsigned i = 0; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        cr_assert_null(tab_command_replies_find(&replies, id));
        if (i % 2) {
            tab_command_replies_ack(&replies, id, i);
        } else {
            struct eng_outcome out = {.code = ENG_NOT_YOUR_TURN, .refused_n = 2, .refused = {4, 5}};
            tab_command_replies_nack(&replies, id, &out);
        }
    }
    for (unsigned i = 2 * TAB_COMMAND_REPLIES_MAX; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        const struct tab_command_reply *reply = tab_command_replies_find(&replies, id);
        cr_assert_not_null(reply);
        cr_assert_eq(reply->code, i % 2 ? ENG_OK : ENG_NOT_YOUR_TURN);
        if (i % 2)
            cr_assert_eq(reply->v, i);
        else
            cr_assert(reply->cards_n == 2 && reply->cards[1] == 5);
    }
    (void)snprintf(id, sizeof(id), "c-%d", 2 * TAB_COMMAND_REPLIES_MAX - 1);
    cr_assert_null(tab_command_replies_find(&replies, id), "older ones are forgotten");
}
