/* The long form of the properties of tests/engine/prove.h, and the signature of the rules.
 *
 *   prove moves N [FIRST]   sessions from number FIRST on, until N moves were made
 *   prove signature         one line per variant, and one number for all
 *
 * If a property is violated it ends with its line and the number of the session: `prove moves 1 NUMBER` plays
 * that one again. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/engine/prove.h"

static char where[64];

static void print_location(int sig)
{
    (void)sig;
    ssize_t ignored = write(STDERR_FILENO, where, strlen(where));
    (void)ignored;
}

static int moves(int64_t least, int64_t first)
{
    struct prove_counts counts = {0};

    (void)signal(SIGABRT, print_location);
    for (uint64_t number = (uint64_t)first; counts.moves < (uint64_t)least; number++) {
        (void)snprintf(where, sizeof where, "in session %" PRIu64 "\n", number);
        prove_session(number, &counts);
    }
    (void)printf("%" PRIu64 " moves, %" PRIu64 " refused, %" PRIu64 " hands, %" PRIu64 " sessions, %" PRIu64
                 " records: every promise kept\n",
                 counts.moves, counts.refused, counts.hands, counts.sessions, counts.records);
    return 0;
}

static int signature(void)
{
    const struct eng_params *row;
    uint64_t all = 0;

    for (size_t i = 0; (row = prove_variant(i)) != NULL; i++) {
        uint64_t one = prove_signature(row);
        (void)printf("%-10s %016" PRIx64 "\n", row->variant, one);
        all = all * 31 + one;
    }
    (void)printf("%-10s %016" PRIx64 "\n", "all", all);
    return 0;
}

int main(int argc, char **argv)
{
    int64_t least, first = 0;

    if (argc == 2 && strcmp(argv[1], "signature") == 0)
        return signature();
    if (argc >= 3 && argc <= 4 && strcmp(argv[1], "moves") == 0 && text_i64(argv[2], 1, INT64_MAX, &least) &&
        (argc == 3 || text_i64(argv[3], 0, INT64_MAX, &first)))
        return moves(least, first);
    (void)fprintf(stderr, "usage: prove moves N [FIRST] | prove signature\n");
    return 2;
}
