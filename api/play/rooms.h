/* Room occupancy, read once per second for all players. Shared by all REST loops and protected by a short
 * lock. Created and freed by server/http/http.c. */
#ifndef RUMMYD_API_ROOMS_H
#define RUMMYD_API_ROOMS_H

#define API_ROOMS_KEPT_MS 1000

struct api_rooms;
struct api_rooms *api_rooms_new(void); /* NULL: out of memory */
void api_rooms_free(struct api_rooms *cache);

#endif
