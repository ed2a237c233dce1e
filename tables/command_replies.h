/* The first replies to the last commands of a seat, so that an id that comes again changes nothing. After a
 * restart those of commands that were carried out are filled in again from the journal. Hub thread. */
#ifndef RUMMYD_TABLES_COMMAND_REPLIES_H
#define RUMMYD_TABLES_COMMAND_REPLIES_H

#include "tables/ports.h"

enum { TAB_COMMAND_REPLIES_MAX = 24 }; /* remembered for each seat */

struct tab_command_reply {
    uint8_t code; /* enum eng_refusal; ENG_OK: it was carried out */
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint32_t v; /* of an ack */
};

/* Zeroed: there are none. An id is known by 64 bits of its hash: who makes up two ids that share them
 * deceives themselves alone. */
struct tab_command_replies {
    /* Parts of the hashes, side by side: a new id is looked for in one line of the cache, not in one for each
     * reply. */
    uint16_t tags[TAB_COMMAND_REPLIES_MAX];
    uint8_t next; /* the oldest, overwritten next */
    struct {
        uint64_t hash;
        uint32_t v;
        uint8_t code, cards_n;
    } list[TAB_COMMAND_REPLIES_MAX];
    /* Of refusals, one row for each reply; NULL: there has been none. */
    uint8_t (*cards)[ENG_MOVE_CARDS_MAX];
};

/* Of an id that is not empty; never 0. */
uint64_t tab_command_id_hash(const char *id);

/* false: this id was not seen, or too long ago. */
bool tab_command_replies_find(const struct tab_command_replies *replies, const char *id,
                              struct tab_command_reply *reply);
/* The command of that id was carried out: version v. The id is new and not empty. */
void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v);
/* The rules refused it. outcome: code, and the cards that offend. When memory is short it is not remembered.
 */
void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome);
void tab_command_replies_free(struct tab_command_replies *replies);

#endif
