/* Memory of answers; see answers.h. Hub thread. */
#include "tables/answers.h"

#include <string.h>

#include "base/bug.h"

static uint16_t tag_of(const char *id)
{
    uint32_t tag = 0;
    for (; *id; id++)
        tag = tag * 31 + (uint8_t)*id;
    return (uint16_t)(tag ^ tag >> 16);
}

const struct tab_answer *tab_answers_find(const struct tab_answers *answers, const char *id)
{
    if (id[0] == '\0')
        return NULL;
    uint16_t tag = tag_of(id);
    for (int i = 0; i < TAB_ANSWERS_MAX; i++)
        if (answers->tags[i] == tag && strcmp(answers->list[i].id, id) == 0)
            return &answers->list[i];
    return NULL;
}

static struct tab_answer *next_answer(struct tab_answers *answers, const char *id)
{
    struct tab_answer *answer = &answers->list[answers->next];
    answers->tags[answers->next] = tag_of(id);
    answers->next = (uint8_t)((answers->next + 1) % TAB_ANSWERS_MAX);
    *answer = (struct tab_answer){0};
    size_t len = strlen(id);
    ASSERT(len > 0 && len < sizeof(answer->id));
    memcpy(answer->id, id, len + 1);
    return answer;
}

void tab_answers_ack(struct tab_answers *answers, const char *id, uint32_t v)
{
    next_answer(answers, id)->v = v;
}

void tab_answers_nack(struct tab_answers *answers, const char *id, const struct eng_outcome *outcome)
{
    struct tab_answer *answer = next_answer(answers, id);
    ASSERT(outcome->code != ENG_OK && outcome->refused_n <= ENG_MOVE_CARDS_MAX);
    answer->code = (uint8_t)outcome->code;
    answer->cards_n = outcome->refused_n;
    memcpy(answer->cards, outcome->refused, outcome->refused_n);
}
