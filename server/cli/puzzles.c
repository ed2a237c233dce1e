/* `rummyd puzzles`: parses the arguments and runs the subcommand (docs/puzzles.md). Main thread. */
#include "server/cli/puzzles.h"

#include "base/bug.h"
#include "base/text.h"
#include "server/cli/cmd.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 100, NUMBER_MAX = 1000000000 };

static const char usage[] =
    "usage: rummyd puzzles mine|check|export|import FILE|starter VARIANT; for the flags, use --help";

static const struct {
    const char *name;
    size_t at;
} numbers[] = {
    {"--games", offsetof(struct srv_puzzles_wish, games)},
    {"--limit", offsetof(struct srv_puzzles_wish, limit)},
    {"--seconds", offsetof(struct srv_puzzles_wish, seconds)},
    {"--per-variant", offsetof(struct srv_puzzles_wish, per_variant)},
    {"--seed", offsetof(struct srv_puzzles_wish, seed)},
};

/* Consumes a number flag at *i. false: args[*i] is not a number flag. If its value is invalid, *code is
 * set. */
static bool take_number(int args_n, char *const *args, int *i, struct srv_puzzles_wish *wish, int *code)
{
    for (size_t k = 0; k < ARRAY_LEN(numbers); k++) {
        size_t len = strlen(numbers[k].name);
        if (strncmp(args[*i], numbers[k].name, len) != 0 || (args[*i][len] != '\0' && args[*i][len] != '='))
            continue;
        const char *text = args[*i][len] == '=' ? args[*i] + len + 1 : *i + 1 < args_n ? args[++*i] : "";
        if (!text_i64(text, 1, NUMBER_MAX, (int64_t *)((char *)wish + numbers[k].at)))
            *code = srv_fail(SRV_EXIT_USAGE, "%s must be a number from 1 to %d (got \"%.40s\")",
                             numbers[k].name, NUMBER_MAX, text);
        return true;
    }
    return false;
}

static int with_database(int args_n, char *const *args, const struct srv_puzzles_wish *wish,
                         int (*act)(struct db_conn *, const struct srv_puzzles_wish *))
{
    int code = SRV_EXIT_OK;
    struct db_conn *conn = srv_cmd_connect(args_n, args, &code);
    if (!conn)
        return code;
    code = act(conn, wish);
    db_close(conn);
    return code;
}

int srv_cmd_puzzles(int args_n, char *const *args)
{
    struct srv_puzzles_wish wish = {.games = 100, .limit = 200, .seconds = 600, .per_variant = 10, .seed = 1};
    char *rest[WORDS_MAX];
    int n = 0, code = SRV_EXIT_OK;

    for (int i = 1; i < args_n && code == SRV_EXIT_OK; i++) {
        if (take_number(args_n, args, &i, &wish, &code))
            continue;
        if (strncmp(args[i], "--", 2) != 0 && !wish.word &&
            (strcmp(args[0], "import") == 0 || strcmp(args[0], "starter") == 0))
            wish.word = args[i];
        else if (n < WORDS_MAX)
            rest[n++] = args[i];
    }
    if (code != SRV_EXIT_OK)
        return code;
    if (args_n > 0 && strcmp(args[0], "mine") == 0)
        return with_database(n, rest, &wish, srv_puzzles_mine);
    if (args_n > 0 && strcmp(args[0], "check") == 0)
        return with_database(n, rest, &wish, srv_puzzles_check);
    if (args_n > 0 && strcmp(args[0], "export") == 0)
        return with_database(n, rest, &wish, srv_puzzles_export);
    if (wish.word && strcmp(args[0], "import") == 0)
        return with_database(n, rest, &wish, srv_puzzles_import);
    if (wish.word && n == 0)
        return srv_puzzles_starter(&wish);
    return srv_fail(SRV_EXIT_USAGE, "%s", usage);
}
