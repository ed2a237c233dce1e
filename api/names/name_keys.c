/* Keys for confusable names; see name_keys.h. */
#include "api/names/name_keys.h"

#include "api/core/unicode.h"
#include "base/bug.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uspoof.h>
#include <unicode/uversion.h>

enum {
    RULES = 1,      /* version of the key algorithm; increase it to recompute all keys */
    ROUNDS_MAX = 8, /* limit of rounds until nothing changes; names take two or three */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static USpoofChecker *tables;

static void open_tables(void)
{
    UErrorCode error = U_ZERO_ERROR;
    tables = uspoof_open(&error);
    ASSERT(U_SUCCESS(error));
}

static bool skeleton(const char *text, char out[API_NAME_KEY_MAX])
{
    UErrorCode error = U_ZERO_ERROR;
    int32_t n = uspoof_getSkeletonUTF8(tables, 0, text, -1, out, API_NAME_KEY_MAX - 1, &error);
    if (U_FAILURE(error) || n >= API_NAME_KEY_MAX)
        return false;
    out[n] = '\0';
    return true;
}

/* Applies both mappings to the key until neither changes it. */
static bool settle(char key[API_NAME_KEY_MAX])
{
    char like[API_NAME_KEY_MAX], next[API_NAME_KEY_MAX];
    for (int round = 0; round < ROUNDS_MAX; round++) {
        if (!skeleton(key, like) || !api_unicode_fold(like, next, sizeof(next)))
            return false;
        if (strcmp(next, key) == 0)
            return key[0] != '\0';
        memcpy(key, next, sizeof(next));
    }
    return key[0] != '\0';
}

size_t api_name_keys(const char *nickname, char keys[API_NAME_KEYS_MAX][API_NAME_KEY_MAX])
{
    char other[API_NAME_KEY_MAX];
    (void)pthread_once(&once, open_tables);
    if (!api_unicode_fold(nickname, keys[0], sizeof(keys[0])) || !settle(keys[0]))
        return 0;
    if (!skeleton(nickname, other) || !api_unicode_fold(other, keys[1], sizeof(keys[1])) || !settle(keys[1]))
        return 0;
    int order = strcmp(keys[0], keys[1]);
    if (order == 0)
        return 1;
    if (order > 0) {
        memcpy(other, keys[0], sizeof(other));
        memcpy(keys[0], keys[1], sizeof(other));
        memcpy(keys[1], other, sizeof(other));
    }
    return 2;
}

void api_name_version(char out[API_NAME_BY_MAX])
{
    UVersionInfo icu;
    char text[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(icu);
    u_versionToString(icu, text);
    (void)snprintf(out, API_NAME_BY_MAX, "%d, ICU %s", RULES, text);
}
