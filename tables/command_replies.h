/* Remembers the replies to the most recent commands of a seat, so that a repeated id changes nothing. After
 * a restart, replies to successful commands are restored from the journal. Hub thread. */
#ifndef RUMMYD_TABLES_COMMAND_REPLIES_H
#define RUMMYD_TABLES_COMMAND_REPLIES_H

#include "tables/ports.h"

enum { TAB_COMMAND_REPLIES_MAX = 24 }; /* replies remembered per seat */

struct tab_command_reply {
    uint8_t code; /* enum eng_refusal; ENG_OK: the command succeeded */
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint32_t v; /* version in an ack */
};

/* Zeroed: empty. Ids are compared by 64 bits of their hash; a client that crafts a collision harms only
 * itself. */
struct tab_command_replies {
    /* Parts of the hashes, packed together so that a lookup reads one cache line instead of one per
     * reply. */
    uint16_t tags[TAB_COMMAND_REPLIES_MAX];
    uint8_t next; /* the oldest reply, which is overwritten next */
    struct {
        uint64_t hash;
        uint32_t v;
        uint8_t code, cards_n;
    } list[TAB_COMMAND_REPLIES_MAX];
    /* Offending cards of refusals, one row per reply; NULL: there has been no refusal. */
    uint8_t (*cards)[ENG_MOVE_CARDS_MAX];
};

/* Hash of a nonempty id; never 0. */
uint64_t tab_command_id_hash(const char *id);

/* false: this id is unknown, or was used too long ago. */
bool tab_command_replies_find(const struct tab_command_replies *replies, const char *id,
                              struct tab_command_reply *reply);
/* Records that the command with this id succeeded at version v. The id must be new and not empty. */
void tab_command_replies_ack(struct tab_command_replies *replies, const char *id, uint32_t v);
/* Records a refusal by the rules. outcome: the code and the offending cards. If out of memory, the refusal
 * is not remembered. */
void tab_command_replies_nack(struct tab_command_replies *replies, const char *id,
                              const struct eng_outcome *outcome);
void tab_command_replies_free(struct tab_command_replies *replies);

#endif
