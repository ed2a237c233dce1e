/* `rummyd verify FILE…`: deals, plays, and scores records again, offline. Consecutive hands of a session,
 * in one file or several, must also follow from each other. */
#include <stdio.h>

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/cli/record_file.h"

/* Consecutive records of the same table are treated as one session. */
static bool continues(const struct srv_record_hand *before, const struct srv_record_hand *hand)
{
    const struct eng_record *a = &before->record, *b = &hand->record;
    return before->path == hand->path || (a->table_id == b->table_id && b->hand_no == a->hand_no + 1);
}

/* The result for a hand. A hand after an invalid one may be valid by itself, but nothing proves that the
 * session led to it. */
enum state { WRONG, UNPROVEN, VERIFIED };

static void print_verdict(const struct srv_record_hand *hand, const char *verdict, const char *why)
{
    char path[SRV_SENTENCE_MAX];
    (void)printf("%s: %s: %s, table %llu, hand %u, %u moves%s\n", srv_shown(path, sizeof path, hand->path),
                 verdict, hand->record.params.variant, (unsigned long long)hand->record.table_id,
                 hand->record.hand_no, hand->record.steps_n, why);
}

/* before: the previous hand, whose result is `was`. *end: on input the end of the previous hand, on output
 * the end of this one. */
static enum state check(const struct srv_record_hand *hand, const struct srv_record_hand *before,
                        enum state was, struct eng_game *end)
{
    struct eng_verdict verdict;
    struct eng_game game;
    bool follows = before && continues(before, hand);
    bool good = eng_record_end(&hand->record, &game, &verdict);

    if (good && follows && was != WRONG)
        good = eng_record_follows(&hand->record, &before->record, end, &verdict);
    *end = game;
    if (!good) {
        srv_record_print_verdict(hand, &verdict);
        return WRONG;
    }
    if (follows && was != VERIFIED) {
        print_verdict(hand, "not checked",
                      was == WRONG ? ": the hand is correct in itself, but follows an incorrect one"
                                   : ": the hand is correct in itself, but follows one that was not checked");
        return UNPROVEN;
    }
    print_verdict(hand, "verified", "");
    return VERIFIED;
}

int srv_cmd_verify(int args_n, char *const *args)
{
    struct srv_record_book book = {0};
    struct eng_game end;
    int result = SRV_EXIT_OK;

    if (args_n < 1)
        return srv_fail(SRV_EXIT_USAGE,
                        "no record file given; usage: rummyd verify FILE... (`-`: standard input)");
    for (int i = 0; i < args_n; i++)
        if (!srv_record_book_read(&book, args[i]))
            result = SRV_EXIT_FAILED;
    ASSERT(book.n == 0 || book.hands != NULL);
    enum state state = VERIFIED;
    for (int i = 0; i < book.n; i++) {
        state = check(&book.hands[i], i > 0 ? &book.hands[i - 1] : NULL, state, &end);
        if (state != VERIFIED)
            result = SRV_EXIT_FAILED;
    }
    srv_record_book_free(&book);
    return result;
}
