/* The packs on sale, read occasionally for all players. Shared by all REST loops and protected by a short
 * lock. Created and freed by server/http/http.c. */
#ifndef RUMMYD_API_SHOP_PACKS_H
#define RUMMYD_API_SHOP_PACKS_H

#define API_PACKS_KEPT_MS 1000

struct api_packs;
struct api_packs *api_packs_new(void); /* NULL: out of memory */
void api_packs_free(struct api_packs *packs);

#endif
