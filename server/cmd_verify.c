/* `rummyd verify FILE…`: deals, plays and scores records again, offline. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record.h"
#include "server/cmd.h"

/* One line: what kind of wrong, where, whose, which cards, and why in words. */
static void tell_verdict(const char *path, const struct eng_verdict *verdict)
{
    char where[160] = "";
    struct buf b = buf_on(where, sizeof(where) - 1);
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
    (void)cmd_error(CMD_FAILED, "%s: %s%s: %s", path, eng_verdict_name(verdict->code), where, verdict->text);
}

static int check(const char *path, const char *text, size_t len)
{
    int result = CMD_FAILED;
    struct eng_record *record = calloc(1, sizeof(*record));
    struct eng_step *steps = calloc(ENG_RECORD_STEPS_MAX, sizeof(*steps));
    if (record && steps) {
        struct eng_record_error error;
        struct eng_verdict verdict;
        eng_record_init(record, eng_params_find("rummy51"), 4, steps, ENG_RECORD_STEPS_MAX);
        if (!eng_record_parse(record, text, len, &error)) {
            (void)cmd_error(CMD_FAILED, "%s:%u:%u: expected %s", path, error.line, error.column,
                            error.expected);
        } else if (!eng_record_verify(record, &verdict)) {
            tell_verdict(path, &verdict);
        } else {
            (void)printf("%s: verified: %s, table %llu, hand %u, %u moves\n", path, record->params.variant,
                         (unsigned long long)record->table_id, record->hand_no, record->steps_n);
            result = CMD_OK;
        }
    }
    free(steps);
    free(record);
    return result;
}

int cmd_verify(int args_n, char *const *args)
{
    if (args_n < 1)
        return cmd_error(CMD_USAGE, "verify: name one file or more (`-` reads the standard input)");
    int result = CMD_OK;
    for (int i = 0; i < args_n; i++) {
        size_t len;
        char *text = cmd_read_whole(args[i], &len);
        if (!text) {
            result = cmd_error(CMD_FAILED, "%s: %s", args[i], strerror(errno));
            continue;
        }
        if (check(args[i], text, len) != CMD_OK)
            result = CMD_FAILED;
        free(text);
    }
    return result;
}
