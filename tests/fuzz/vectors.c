/* Any bytes as a file of rule vectors: each is run, or the place where it is malformed is reported. An
 * invalid position is reported, and a valid one keeps its invariants whatever is played in it (eng_check
 * runs there). */
#include <stdint.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/vector.h"

enum { COUNTED_MAX = 5 }; /* how many times a byte may be scanned to count lines */

struct heard {
    unsigned n;
};

static void report(void *arg, const struct eng_vector *vector)
{
    struct heard *heard = arg;
    heard->n++;
    ASSERT(vector->line >= 1 && vector->column >= 1);
    ASSERT(text_utf8_ok(vector->title, strlen(vector->title)) &&
           text_utf8_ok(vector->wrong, strlen(vector->wrong)));
    ASSERT(memchr(vector->title, '\0', sizeof vector->title) != NULL);
    ASSERT(memchr(vector->wrong, '\0', sizeof vector->wrong) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heard once = {0}, again = {0};
    size_t counted = eng_vectors_run((const char *)data, size, report, &once);
    ASSERT(counted <= COUNTED_MAX * size);
    ASSERT(eng_vectors_run((const char *)data, size, report, &again) == counted);
    ASSERT(once.n == again.n);
    return 0;
}
