/* `rummyd verify FILE…`: deals, plays and scores records again, offline; hands of a session that stand one
 * after the other, in one file or in several, have to follow one another too. */
#include <stdio.h>

#include "server/cli/cmd.h"
#include "server/cli/record_file.h"

/* Where records of one table stand side by side they are meant to be one session. */
static bool continues(const struct srv_record_hand *before, const struct srv_record_hand *hand)
{
    const struct eng_record *a = &before->record, *b = &hand->record;
    return before->path == hand->path || (a->table_id == b->table_id && b->hand_no == a->hand_no + 1);
}

/* before, end: the hand before it and how it ended, when that held. */
static bool check(const struct srv_record_hand *hand, const struct srv_record_hand *before,
                  struct eng_game *end)
{
    struct eng_verdict verdict;
    struct eng_game game;
    bool good = eng_record_end(&hand->record, &game, &verdict);

    if (good && before && continues(before, hand))
        good = eng_record_follows(&hand->record, &before->record, end, &verdict);
    *end = game;
    if (!good) {
        srv_record_tell(hand, &verdict);
        return false;
    }
    (void)printf("%s: verified: %s, table %llu, hand %u, %u moves\n", hand->path, hand->record.params.variant,
                 (unsigned long long)hand->record.table_id, hand->record.hand_no, hand->record.steps_n);
    return true;
}

int srv_cmd_verify(int args_n, char *const *args)
{
    struct srv_record_book book = {0};
    struct eng_game end;
    int result = SRV_EXIT_OK;

    if (args_n < 1)
        return srv_fail(SRV_EXIT_USAGE, "verify: name one file or more (`-` reads the standard input)");
    for (int i = 0; i < args_n; i++)
        if (!srv_record_book_read(&book, args[i]))
            result = SRV_EXIT_FAILED;
    const struct srv_record_hand *before = NULL;
    for (int i = 0; i < book.n; i++) {
        bool good = check(&book.hands[i], before, &end);
        before = good ? &book.hands[i] : NULL;
        if (!good)
            result = SRV_EXIT_FAILED;
    }
    srv_record_book_free(&book);
    return result;
}
