/* Any bytes as records: each is parsed, or rejected with a position. A parsed record prints to a text that
 * parses to the same record. Verifying it never crashes, whatever position and moves it contains, and
 * neither does checking whether it continues the previous record. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "engine/record/record.h"

enum { STEPS_MAX = 2048, TEXT_MAX = 512 * 1024 };

static struct eng_step steps[2][STEPS_MAX], printed[STEPS_MAX];
static char text[TEXT_MAX];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text of a record determines the record. */
static void prints_and_reads(const struct eng_record *one)
{
    static struct eng_record two;
    struct eng_record_error error;
    struct buf out = buf_on(text, sizeof text);
    eng_record_print(one, &out);
    ASSERT(!out.full);
    two.steps = printed;
    two.steps_max = STEPS_MAX;
    ASSERT(eng_record_parse(&two, text, out.len, &error));
    two.steps = one->steps;
    ASSERT(memcmp(one, &two, sizeof two) == 0);
    ASSERT(memcmp(one->steps, printed, one->steps_n * sizeof(struct eng_step)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct eng_record hands[2];
    struct eng_record_error error;
    struct eng_verdict verdict;
    struct eng_game end, before = {0};
    bool good = false;
    size_t at = 0;
    for (int i = 0; i == 0 || at < size; i++) {
        struct eng_record *r = &hands[i & 1];
        r->steps = steps[i & 1];
        r->steps_max = STEPS_MAX;
        if (!eng_record_parse_next(r, (const char *)data, size, &at, &error)) {
            ASSERT(error.line >= 1 && error.column >= 1 && error.expected != NULL);
            return 0;
        }
        prints_and_reads(r);
        bool held = good;
        good = eng_record_end(r, &end, &verdict);
        ASSERT(good == (verdict.code == ENG_VERDICT_OK) && verdict.text != NULL);
        if (held && good)
            good = eng_record_follows(r, &hands[~i & 1], &before, &verdict);
        ASSERT(good == (verdict.code == ENG_VERDICT_OK) && verdict.text != NULL);
        before = end;
    }
    return 0;
}
