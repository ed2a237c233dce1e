/* Any bytes as a file of rule vectors: each is run or the place is named where it is not well formed; a
 * position that cannot be is told, and one that can keeps its promises whatever is played in it (eng_check
 * runs in there). */
#include <stdint.h>
#include <string.h>

#include "base/bug.h"
#include "engine/record/vector.h"

struct heard {
    unsigned n;
};

static void tell(void *arg, const struct eng_vector *vector)
{
    struct heard *heard = arg;
    heard->n++;
    ASSERT(vector->line >= 1);
    ASSERT(memchr(vector->title, '\0', sizeof vector->title) != NULL);
    ASSERT(memchr(vector->wrong, '\0', sizeof vector->wrong) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct eng_record_error error;
    struct heard once = {0}, again = {0};
    bool good = eng_vectors_run((const char *)data, size, tell, &once, &error);
    if (!good)
        ASSERT(error.line >= 1 && error.column >= 1 && error.expected != NULL);
    ASSERT(eng_vectors_run((const char *)data, size, tell, &again, &error) == good);
    ASSERT(once.n == again.n);
    return 0;
}
