/* `rummyd vectors FILE…`: runs rule vectors and prints one line each. Needs no database. Main thread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/vector.h"
#include "server/cli/cmd.h"

struct counts {
    const char *path;
    unsigned passed, failed;
};

static void print_vector(void *arg, const struct eng_vector *vector)
{
    struct counts *counts = arg;
    bool good = vector->wrong[0] == '\0';
    counts->passed += good;
    counts->failed += !good;
    char shown[SRV_SENTENCE_MAX];
    const char *title = vector->title[0] != '\0' ? vector->title : "(no title)";
    if (good)
        (void)printf("ok    %s\n", title);
    else
        (void)printf("FAIL  %s\n      %s:%u:%u: %s\n", title, srv_shown(shown, sizeof shown, counts->path),
                     vector->line, vector->column, vector->wrong);
}

int srv_cmd_vectors(int args_n, char *const *args)
{
    struct counts counts = {0};
    if (args_n < 1)
        return srv_fail(SRV_EXIT_USAGE,
                        "no vector file given; usage: rummyd vectors FILE... (`-`: standard input)");
    for (int i = 0; i < args_n; i++) {
        size_t len;
        counts.path = args[i];
        char *text = srv_cmd_read_whole(args[i], &len);
        if (!text) {
            (void)srv_fail(SRV_EXIT_FAILED, "%s: %s", args[i], srv_cmd_read_problem(errno));
            counts.failed++;
            continue;
        }
        (void)eng_vectors_run(text, len, print_vector, &counts);
        free(text);
    }
    (void)printf("%u passed, %u failed\n", counts.passed, counts.failed);
    return counts.failed == 0 ? SRV_EXIT_OK : SRV_EXIT_FAILED;
}
