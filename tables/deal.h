/* A deal that many tables share, so that the same choices meet the same cards (docs/daily-deal.md,
 * docs/tournaments.md). Its tables are dealt from the seed and number of the deal instead of separate ones,
 * accept no client seeds, and keep the server seeds secret until the database opens the deal. Pure, any
 * thread. */
#ifndef RUMMYD_TABLES_DEAL_H
#define RUMMYD_TABLES_DEAL_H

#include <stdbool.h>
#include <stdint.h>

struct tab_deal {
    int64_t id; /* used in place of the table's number; 0: not a shared deal */
    uint8_t seed[32];
};

static inline bool tab_deal_is_shared(const struct tab_deal *deal)
{
    return deal->id != 0;
}

/* The number that goes into the key of a deal, into its record, and into the dice of its bots: the number of
 * the shared deal if there is one, else the table's. */
uint64_t tab_deal_number(const struct tab_deal *deal, int64_t table_id);
/* The server seed of a hand, counted from 1; deal_hand_seed in db/functions computes that of the first. */
void tab_deal_hand_seed(const struct tab_deal *deal, uint32_t hand_no, uint8_t seed[32]);

#endif
