/* Keys of names that look alike, from the tables of confusable characters (UTS #39, 4). Used by names.c and
 * name_reserved.c. Pure, any thread. */
#ifndef RUMMYD_API_NAME_KEYS_H
#define RUMMYD_API_NAME_KEYS_H

#include "api/names/names.h"

/* Its distinct keys, sorted by bytes. 0: one does not fit. */
size_t api_name_keys(const char *nickname, char keys[API_NAME_KEYS_MAX][API_NAME_KEY_MAX]);

#endif
