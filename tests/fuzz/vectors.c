/* Any bytes as a file of rule vectors: each is run or the place is named where it is not well formed; a
 * position that cannot be is told, and one that can keeps its promises whatever is played in it (eng_check
 * runs in there). */
#include <stdint.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/vector.h"

enum { COUNTED_MAX = 5 }; /* times that a byte is looked at to count lines */

struct heard {
    unsigned n;
};

static void tell(void *arg, const struct eng_vector *vector)
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
    size_t counted = eng_vectors_run((const char *)data, size, tell, &once);
    ASSERT(counted <= COUNTED_MAX * size);
    ASSERT(eng_vectors_run((const char *)data, size, tell, &again) == counted);
    ASSERT(once.n == again.n);
    return 0;
}
