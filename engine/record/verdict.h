/* Sets verdicts, and formats their values as in a record. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_VERDICT_H
#define RUMMYD_ENGINE_RECORD_VERDICT_H

#include "base/bug.h"
#include "engine/record/record.h"

/* Sets the verdict of a record that is wrong; always returns false. Inline, because clang's analyzer must
 * see that. */
static inline bool eng_verdict_fail(struct eng_verdict *v, enum eng_verdict_code code, uint8_t seat,
                                    const char *text)
{
    ASSERT(code != ENG_VERDICT_OK && text != NULL);
    v->code = code;
    v->seat = seat;
    v->text = text;
    return false;
}

void eng_verdict_put_number(char value[ENG_VERDICT_VALUE_MAX], int64_t number);
void eng_verdict_put_seat(char value[ENG_VERDICT_VALUE_MAX], uint8_t seat);
void eng_verdict_put_cards(char value[ENG_VERDICT_VALUE_MAX], const uint8_t *cards, int n);
void eng_verdict_put_hand(char value[ENG_VERDICT_VALUE_MAX], const struct eng_cards *hand);
void eng_verdict_put_score(char value[ENG_VERDICT_VALUE_MAX], const struct eng_record_score *score);
void eng_verdict_put_ending(char value[ENG_VERDICT_VALUE_MAX], const struct eng_record_result *result);

#endif
