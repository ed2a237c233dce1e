/* The first replies to the last commands of a seat, so that an id that comes again changes nothing. After a
 * restart those of commands that were carried out are filled in again from the journal. Hub thread. */
#ifndef RUMMYD_TABLES_COMMAND_REPLIES_H
#define RUMMYD_TABLES_COMMAND_REPLIES_H

#include "tables/ports.h"

enum { TAB_COMMAND_REPLIES_MAX = 24 }; /* remembered for each seat */

struct tab_command_reply {
    char id[TAB_COMMAND_ID_MAX];
    uint8_t code; /* enum eng_refusal; ENG_OK: it was carried out */
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint32_t v; /* of an ack */
};

struct tab_command_replies {
    uint8_t next; /* the oldest, overwritten next */
    /* Hashes of the ids, side by side: a new id is looked for in two lines of the cache, not in one for each
     * reply. */
    uint16_t tags[TAB_COMMAND_REPLIES_MAX];
    struct tab_command_reply list[TAB_COMMAND_REPLIES_MAX];
};

/* It stays valid until the next reply is remembered. NULL: this id was not seen, or too long ago. */
const struct tab_command_reply *tab_command_replies_find(const struct tab_command_replies *replies,
                                                         const char *id);
/* The command of that id was carried out: version v. The id is new and not empty. */
void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v);
/* The rules refused it. outcome: code, and the cards that offend. */
void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome);

#endif
