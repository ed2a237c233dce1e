/* The first replies to the last commands of a seat, so that a repeated id changes nothing. After a restart,
 * replies to commands that were carried out are restored from the journal. Hub thread. */
#ifndef RUMMYD_TABLES_COMMAND_REPLIES_H
#define RUMMYD_TABLES_COMMAND_REPLIES_H

#include "tables/ports.h"

enum { TAB_COMMAND_REPLIES_MAX = 24 }; /* remembered per seat */

struct tab_command_reply {
    uint8_t code; /* enum eng_refusal; ENG_OK: it was carried out */
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint32_t v; /* of an ack */
};

/* Zeroed: empty. An id is identified by 64 bits of its hash: a client that crafts a collision harms only
 * itself. */
struct tab_command_replies {
    /* Parts of the hashes, packed together: a lookup reads one cache line instead of one per reply. */
    uint16_t tags[TAB_COMMAND_REPLIES_MAX];
    uint8_t next; /* the oldest, overwritten next */
    struct {
        uint64_t hash;
        uint32_t v;
        uint8_t code, cards_n;
    } list[TAB_COMMAND_REPLIES_MAX];
    /* Of refusals, one row per reply; NULL: there has been none. */
    uint8_t (*cards)[ENG_MOVE_CARDS_MAX];
};

/* Of a nonempty id; never 0. */
uint64_t tab_command_id_hash(const char *id);

/* false: this id was never seen, or too long ago. */
bool tab_command_replies_find(const struct tab_command_replies *replies, const char *id,
                              struct tab_command_reply *reply);
/* Records that the command of that id was carried out at version v. The id is new and not empty. */
void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v);
/* Records a refusal by the rules. outcome: the code and the offending cards. If memory is short, the refusal
 * is not remembered. */
void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome);
void tab_command_replies_free(struct tab_command_replies *replies);

#endif
