/* The packs on sale, read now and then for everybody. Shared by all REST loops; a short lock guards them.
 * Made and freed by server/http/http.c. */
#ifndef RUMMYD_API_SHOP_PACKS_H
#define RUMMYD_API_SHOP_PACKS_H

#define API_PACKS_KEPT_MS 1000

struct api_packs;
struct api_packs *api_packs_new(void); /* NULL: out of memory */
void api_packs_free(struct api_packs *packs);

#endif
