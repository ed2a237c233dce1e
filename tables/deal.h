/* A deal that many tables play, so that the same choices meet the same cards (docs/daily-deal.md,
 * docs/tournaments.md). Its tables are dealt from its seed and number instead of their own, take no seeds of
 * their players, and keep the server seeds until the database opens the deal. Pure, any thread. */
#ifndef RUMMYD_TABLES_DEAL_H
#define RUMMYD_TABLES_DEAL_H

#include <stdbool.h>
#include <stdint.h>

struct tab_deal {
    int64_t id; /* what stands for the table's number; 0: a table of its own cards */
    uint8_t seed[32];
};

static inline bool tab_deal_is_shared(const struct tab_deal *deal)
{
    return deal->id != 0;
}

/* What stands for the table in the key of a deal, in its record and in the dice of its bots: the number of
 * the deal, if it is shared. */
uint64_t tab_deal_number(const struct tab_deal *deal, int64_t table_id);
/* The server seed of a hand, counted from 1; deal_hand_seed in db/functions makes that of the first. */
void tab_deal_hand_seed(const struct tab_deal *deal, uint32_t hand_no, uint8_t seed[32]);

#endif
