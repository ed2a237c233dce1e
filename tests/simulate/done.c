/* Which worlds have been run; see done.h. */
#include "tests/simulate/done.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_range(char *line, const char *revision, struct done *range)
{
    uint64_t *const numbers[] = {&range->first, &range->last, &range->held, &range->failed};
    size_t n = strlen(revision);
    if (strncmp(line, revision, n) != 0 || line[n] != ' ')
        return false;
    char *at = line + n;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        char *end;
        *numbers[i] = strtoull(at, &end, 10);
        if (end == at)
            return false; /* the line was being written when the run was killed */
        at = end;
    }
    return *at == '\n' && range->first <= range->last;
}

uint64_t done_until(const char *file, const char *revision, uint64_t first, struct done *sum)
{
    struct done range;
    char line[DONE_REVISION_MAX + 128];
    *sum = (struct done){.first = first};
    FILE *in = fopen(file, "r");
    while (in && fgets(line, sizeof(line), in)) {
        if (!read_range(line, revision, &range) || range.first > first || range.last < first)
            continue;
        first = range.last + 1;
        sum->held += range.held;
        sum->failed += range.failed;
    }
    if (in)
        (void)fclose(in);
    return first;
}

bool done_add(const char *file, const char *revision, const struct done *range)
{
    FILE *out = fopen(file, "a");
    if (!out)
        return false;
    int n = fprintf(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", revision, range->first,
                    range->last, range->held, range->failed);
    return fclose(out) == 0 && n > 0;
}
