/* Keys for detecting names that look alike, from the tables of confusable characters (UTS #39, 4). Used by
 * names.c and name_reserved.c. Pure, any thread. */
#ifndef RUMMYD_API_NAME_KEYS_H
#define RUMMYD_API_NAME_KEYS_H

#include "api/names/names.h"

/* Computes a name's distinct keys, sorted by bytes; returns their number. 0: a key is empty or does not
 * fit. */
size_t api_name_keys(const char *nickname, char keys[API_NAME_KEYS_MAX][API_NAME_KEY_MAX]);

#endif
