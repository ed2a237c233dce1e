/* See record_file.h. Used by `rummyd verify` and `rummyd replay`. */
#include "server/cli/record_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "server/cli/cmd.h"

void srv_record_print_verdict(const struct srv_record_hand *hand, const struct eng_verdict *verdict)
{
    char where[200] = "";
    struct buf b = buf_on(where, sizeof where - 1);

    buf_fmt(&b, ", hand %u", hand->record.hand_no);
    if (verdict->turn > 0)
        buf_fmt(&b, ", turn %u", verdict->turn);
    if (verdict->seat != ENG_NO_SEAT)
        buf_fmt(&b, ", seat %u", verdict->seat);
    if (verdict->code == ENG_VERDICT_ILLEGAL_MOVE)
        buf_fmt(&b, ", %s", eng_refusal_name(verdict->refusal));
    for (int i = 0; i < verdict->cards_n; i++) {
        char name[ENG_CARD_NAME_MAX];
        eng_card_name(name, verdict->cards[i]);
        buf_fmt(&b, " %s", name);
    }
    where[b.len] = '\0';
    char sentence[ENG_VERDICT_TEXT_MAX];
    struct buf all = buf_on(sentence, sizeof sentence - 1);
    eng_verdict_format(verdict, &all);
    sentence[all.len] = '\0';
    (void)srv_fail(SRV_EXIT_FAILED, "%s: %s%s: %s", hand->path, eng_verdict_name(verdict->code), where,
                   sentence);
}

/* Adds the record just read to the book, with its steps in an allocation of the exact size. */
static bool keep(struct srv_record_book *book, const char *path, const struct eng_record *record)
{
    struct srv_record_hand *hands = realloc(book->hands, ((size_t)book->n + 1) * sizeof *hands);
    if (!hands)
        return false;
    book->hands = hands;
    struct srv_record_hand *hand = &hands[book->n];
    *hand = (struct srv_record_hand){.record = *record, .path = path};
    hand->record.steps = calloc((size_t)record->steps_n + 1, sizeof *record->steps);
    hand->record.steps_max = record->steps_n + 1;
    if (!hand->record.steps)
        return false;
    memcpy(hand->record.steps, record->steps, record->steps_n * sizeof *record->steps);
    book->n++;
    return true;
}

static void print_error(const char *path, const struct eng_record_error *error)
{
    char sentence[200];
    struct buf b = buf_on(sentence, sizeof sentence - 1);
    eng_record_error_format(error, &b);
    sentence[b.len] = '\0';
    (void)srv_fail(SRV_EXIT_FAILED, "%s:%u:%u: %s", path, error->line, error->column, sentence);
}

static bool read_all(struct srv_record_book *book, const char *path, const char *text, size_t len,
                     struct eng_record *record)
{
    size_t at = 0;

    do {
        struct eng_record_error error;
        if (!eng_record_parse_next(record, text, len, &at, &error)) {
            print_error(path, &error);
            return false;
        }
        if (book->n == RECORD_HANDS_MAX) {
            (void)srv_fail(SRV_EXIT_FAILED, "%s: the records contain more than %d hands", path,
                           RECORD_HANDS_MAX);
            return false;
        }
        if (!keep(book, path, record)) {
            (void)srv_fail(SRV_EXIT_FAILED, "%s: %s", path, strerror(ENOMEM));
            return false;
        }
    } while (at < len);
    return true;
}

bool srv_record_book_add(struct srv_record_book *book, const char *path, const char *text, size_t len)
{
    struct eng_record *record = calloc(1, sizeof *record);
    struct eng_step *steps = calloc(ENG_RECORD_STEPS_MAX, sizeof *steps);
    bool good = false;

    ASSERT(path != NULL && text != NULL);
    if (!record || !steps) {
        (void)srv_fail(SRV_EXIT_FAILED, "%s: %s", path, strerror(ENOMEM));
    } else {
        record->steps = steps;
        record->steps_max = ENG_RECORD_STEPS_MAX;
        good = read_all(book, path, text, len, record);
    }
    free(steps);
    free(record);
    return good;
}

bool srv_record_book_read(struct srv_record_book *book, const char *path)
{
    size_t len;
    char *text = srv_cmd_read_whole(path, &len);
    int problem = errno;
    bool good = false;

    if (text)
        good = srv_record_book_add(book, path, text, len);
    else
        (void)srv_fail(SRV_EXIT_FAILED, "%s: %s", path, srv_cmd_read_problem(problem));
    free(text);
    return good;
}

void srv_record_book_free(struct srv_record_book *book)
{
    ASSERT(book->n == 0 || book->hands != NULL);
    for (int i = 0; i < book->n; i++)
        free(book->hands[i].record.steps);
    free(book->hands);
    *book = (struct srv_record_book){0};
}
