/* Scopes of tokens; see scopes.h. */
#include "api/core/scopes.h"

#include "base/bug.h"

#include <string.h>

const char *const api_scope_words[] = {
#define API_SCOPE(id, bit, word) word,
#include "api/scopes.def"
#undef API_SCOPE
    NULL};

static const uint8_t bits[] = {
#define API_SCOPE(id, bit, word) API_SCOPE_##id,
#include "api/scopes.def"
#undef API_SCOPE
};

const char *api_scope_word(enum api_scope scope)
{
    for (size_t i = 0; i < ARRAY_LEN(bits); i++)
        if (bits[i] == scope)
            return api_scope_words[i];
    ASSERT(scope == API_SCOPE_ACCOUNT);
    return "account";
}

uint8_t api_scopes_of(const char *words)
{
    uint8_t scopes = 0;
    while (*words) {
        size_t len = strcspn(words, " ");
        for (size_t i = 0; i < ARRAY_LEN(bits); i++)
            if (strlen(api_scope_words[i]) == len && strncmp(words, api_scope_words[i], len) == 0)
                scopes = (uint8_t)(scopes | bits[i]);
        words += len + (words[len] == ' ');
    }
    return scopes;
}
