/* Measures how many moves per second the journal's statement makes durable, by batch size. This is the
 * upper limit for the server, measured without it. bench/run passes the conninfo of a migrated database.
 * Prints lines "journal.batch_N_per_s X". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "db/journal.h"

enum { BATCH_MAX = 1024, MOVE_BYTES = 6 };
static const int64_t TIME_NS = 1500000000;

/* Each batch has one move for each of n tables, as in a closed loop. */
static double moves_per_s(struct db_journal *journal, size_t n, uint32_t *v)
{
    static struct db_move moves[BATCH_MAX];
    static const uint8_t bytes[MOVE_BYTES] = {8, 1, 255, 0, 1, 17};
    struct db_error err;
    uint64_t written = 0;
    int64_t start = clock_mono_ns(), spent;
    do {
        ++*v;
        for (size_t i = 0; i < n; i++)
            moves[i] = (struct db_move){.table_id = (int64_t)i + 1,
                                        .hand_no = 1,
                                        .v = *v,
                                        .seat = 1,
                                        .bytes = bytes,
                                        .len = sizeof(bytes),
                                        .hash = *v * 2654435761U,
                                        .command_id = "c123"};
        if (db_journal_moves(journal, moves, n, &err) != DB_JOURNAL_DONE) {
            fprintf(stderr, "bench-journal: %s\n", err.text);
            exit(1);
        }
        written += n;
        spent = clock_mono_ns() - start;
    } while (spent < TIME_NS);
    return (double)written * 1e9 / (double)spent;
}

int main(int argc, char **argv)
{
    static const size_t batches[] = {1, 10, 100, 300, 1000};
    struct db_journal journal = {0};
    struct db_error err;
    uint32_t v = 0;
    if (argc != 2) {
        fputs("usage: bench-journal CONNINFO\n", stderr);
        return 2;
    }
    if (db_journal_open(&journal, argv[1], "bench", &err) != DB_JOURNAL_DONE) {
        fprintf(stderr, "bench-journal: %s\n", err.text);
        return 1;
    }
    for (size_t i = 0; i < ARRAY_LEN(batches); i++)
        printf("journal.batch_%zu_per_s %.0f\n", batches[i], moves_per_s(&journal, batches[i], &v));
    db_journal_close(&journal);
    return 0;
}
