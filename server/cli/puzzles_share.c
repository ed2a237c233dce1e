/* `rummyd puzzles export` and `import`: the open data set, one header line and one puzzle per line
 * (docs/puzzles.md). Main thread. */
#include "server/cli/puzzles.h"

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/cli/puzzle_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 100 };

static const struct db_stmt q_puzzle_export = {"q_puzzle_export",
                                               "SELECT id, line FROM q_puzzle_export($1, $2)", 2};
static const struct db_stmt do_puzzle_import = {"do_puzzle_import", "SELECT do_puzzle_import($1)", 1};

int srv_puzzles_export(struct db_conn *conn, const struct srv_puzzles_wish *wish)
{
    char mem[64];
    int64_t after = 0;
    int n;

    (void)wish;
    (void)printf(
        "{\"format\": \"rummyd-puzzles\", \"version\": 1, \"license\": \"CC0-1.0\", \"license_url\": "
        "\"https://creativecommons.org/publicdomain/zero/1.0/\"}\n");
    do {
        struct db_args args;
        struct db_error err;
        db_args_init(&args, mem, sizeof mem);
        db_args_int(&args, after);
        db_args_int(&args, BATCH);
        DB_AUTO PGresult *res = db_run(conn, &q_puzzle_export, &args, &err);
        if (!res)
            return srv_fail(SRV_EXIT_FAILED, "%s", err.text);
        n = PQntuples(res);
        for (int i = 0; i < n; i++) {
            after = db_i64(res, i, 0);
            (void)printf("%s\n", db_text(res, i, 1));
        }
    } while (n == BATCH);
    return fflush(stdout) == 0 ? SRV_EXIT_OK : srv_fail(SRV_EXIT_FAILED, "cannot write to standard output");
}

/* Imports one line of the file; false: the database rejected it, *err. */
static bool import_line(struct db_conn *conn, const char *line, size_t len, int64_t *added,
                        struct db_error *err)
{
    static char mem[2 * PUZZLE_LINE_MAX];
    struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    db_args_text_n(&args, line, len);
    DB_AUTO PGresult *res = db_run(conn, &do_puzzle_import, &args, err);
    *added += res && db_bool(res, 0, 0);
    return res != NULL;
}

int srv_puzzles_import(struct db_conn *conn, const struct srv_puzzles_wish *wish)
{
    size_t len;
    struct db_error err;
    int64_t added = 0, lines = 0;
    int code = SRV_EXIT_OK;
    char *text = srv_cmd_read_whole(wish->word, &len);

    if (!text)
        return srv_fail(SRV_EXIT_FAILED, "%s: %s", wish->word, srv_cmd_read_problem(errno));
    for (const char *at = text; code == SRV_EXIT_OK && at < text + len;) {
        const char *end = memchr(at, '\n', (size_t)(text + len - at));
        size_t n = (size_t)((end ? end : text + len) - at);
        lines++;
        if (n > 0 && !import_line(conn, at, n, &added, &err))
            code = srv_fail(SRV_EXIT_FAILED, "%s:%lld: %s", wish->word, (long long)lines, err.text);
        at += n + 1;
    }
    free(text);
    (void)printf("%lld puzzles added\n", (long long)added);
    return code;
}
