/* Nicknames as untrusted input: whatever the bytes, a name is either rejected with a reason, or it has a
 * single form, which is accepted again and resembles itself. */
#include "api/names/names.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

enum { TEXT_MAX = 1024 };

static bool share_a_key(const struct api_name *a, const struct api_name *b)
{
    for (size_t i = 0; i < a->keys_n; i++)
        for (size_t j = 0; j < b->keys_n; j++)
            if (strcmp(a->keys[i], b->keys[j]) == 0)
                return true;
    return false;
}

/* The stored form is stable; its folded form and its keys resemble it. */
static void look_at(const char *text, bool admitted)
{
    struct api_name name, again;
    if (!api_name_make(text, &name)) {
        ASSERT(!admitted);
        return;
    }
    ASSERT(name.keys_n >= 1 && name.keys_n <= API_NAME_KEYS_MAX);
    ASSERT(name.keys_n == 1 || strcmp(name.keys[0], name.keys[1]) < 0);
    ASSERT(text_utf8_ok(name.nickname, strlen(name.nickname)) && strlen(name.nickname) <= API_NAME_BYTES_MAX);
    ASSERT(api_name_make(name.nickname, &again) && strcmp(name.nickname, again.nickname) == 0);
    ASSERT(api_name_length(text) == api_name_length(name.nickname));
    if (!admitted)
        return;
    ASSERT(api_name_judge(name.nickname) == API_FAULT_NONE && !api_name_reserved(name.nickname));
    if (strlen(name.folded) <= API_NAME_BYTES_MAX)
        ASSERT(api_name_make(name.folded, &again) && share_a_key(&name, &again));
    for (size_t i = 0; i < name.keys_n; i++)
        if (strlen(name.keys[i]) <= API_NAME_BYTES_MAX)
            ASSERT(api_name_make(name.keys[i], &again) && share_a_key(&name, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1];
    const size_t len = size < TEXT_MAX ? size : TEXT_MAX;
    memcpy(text, data, len);
    text[len] = '\0';
    if (!text_utf8_ok(text, strlen(text))) /* bodies that are not UTF-8 are rejected earlier */
        return 0;
    const bool admitted = api_name_judge(text) == API_FAULT_NONE;
    ASSERT(api_name_length(text) >= 0);
    (void)api_name_reserved(text);
    look_at(text, admitted);
    return 0;
}
