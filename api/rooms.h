/* How full the rooms are, read once a second for everybody. Shared by all REST loops; a short lock
 * guards it. Made and freed by server/http/http.c. */
#ifndef RUMMYD_API_ROOMS_H
#define RUMMYD_API_ROOMS_H

#define API_ROOMS_KEPT_MS 1000

struct api_rooms;
struct api_rooms *api_rooms_new(void); /* NULL: out of memory */
void api_rooms_free(struct api_rooms *cache);

#endif
