/* First answers to the last commands of a seat, so that a repeated id changes nothing. After
 * a restart they are filled again from the journal. Hub thread. */
#ifndef RUMMYD_TABLES_ANSWERS_H
#define RUMMYD_TABLES_ANSWERS_H

#include "tables/ports.h"

enum { TAB_ANSWERS_MAX = 24 }; /* remembered for each seat */

struct tab_answer {
    char id[TAB_COMMAND_ID_MAX];
    uint8_t code; /* enum eng_refusal; ENG_OK: it was carried out */
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint32_t v; /* of an ack */
};

struct tab_answers {
    uint8_t next; /* the oldest, overwritten next */
    /* Of the ids, side by side: a new id is looked for in two lines of the cache, not in one for each answer.
     */
    uint16_t tags[TAB_ANSWERS_MAX];
    struct tab_answer list[TAB_ANSWERS_MAX];
};

/* NULL: this id was not seen, or too long ago. */
const struct tab_answer *tab_answers_find(const struct tab_answers *answers, const char *id);
void tab_answers_ack(struct tab_answers *answers, const char *id, uint32_t v);
void tab_answers_nack(struct tab_answers *answers, const char *id, const struct eng_outcome *outcome);

#endif
