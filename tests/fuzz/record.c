/* Any bytes as a record: it is read or refused with a place, never more; what is read prints to a text that
 * reads as the same record; its verdict comes without a crash, whatever position and moves it claims. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "engine/record.h"

enum { STEPS_MAX = 2048, TEXT_MAX = 512 * 1024 };

static struct eng_step steps[2][STEPS_MAX];
static char text[TEXT_MAX];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct eng_record one, two;
    struct eng_record_error error;
    struct eng_verdict verdict;
    one.steps = steps[0];
    two.steps = steps[1];
    one.steps_max = two.steps_max = STEPS_MAX;
    if (!eng_record_parse(&one, (const char *)data, size, &error)) {
        ASSERT(error.line >= 1 && error.column >= 1 && error.expected != NULL);
        return 0;
    }
    struct buf out = buf_on(text, sizeof text);
    eng_record_print(&one, &out);
    ASSERT(!out.full);
    ASSERT(eng_record_parse(&two, text, out.len, &error));
    two.steps = one.steps;
    ASSERT(memcmp(&one, &two, sizeof one) == 0);
    ASSERT(memcmp(steps[0], steps[1], one.steps_n * sizeof(struct eng_step)) == 0);
    bool good = eng_record_verify(&one, &verdict);
    ASSERT(good == (verdict.code == ENG_VERDICT_OK) && verdict.text != NULL);
    return 0;
}
