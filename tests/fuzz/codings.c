/* Accept-Encoding as untrusted input. The first byte selects the available codings. The result is one of them
 * or identity, independent of case and spaces, and never one that the header excludes. A second parser,
 * which only splits the list at its commas, finds the weight of the result. */
#include "api/core/coding.h"
#include "base/bug.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether the list contains this name with a weight above 0. */
static bool is_wanted(const char *list, const char *name)
{
    char copy[256], *rest = NULL;
    (void)snprintf(copy, sizeof(copy), "%s", list);
    for (char *member = strtok_r(copy, ",", &rest); member; member = strtok_r(NULL, ",", &rest)) {
        size_t at = strspn(member, " \t"), len = strcspn(member + at, " \t;");
        const char *weight = strchr(member, '=');
        if (strlen(name) == len && strncasecmp(member + at, name, len) == 0 &&
            (!weight || strtod(weight + 1, NULL) > 0))
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256], upper[2 * sizeof(text)];
    size_t n = 0, m = 0;
    unsigned among = size > 0 ? data[0] % 4u << 1 : 0;
    for (size_t i = 1; i < size && n < sizeof(text) - 1 && data[i] != 0; i++)
        text[n++] = (char)data[i];
    text[n] = '\0';
    for (size_t i = 0; i < n; i++) {
        upper[m++] = (char)toupper((unsigned char)text[i]);
        if (text[i] == ',')
            upper[m++] = ' ';
    }
    upper[m] = '\0';
    enum api_coding coding = api_coding_accepted(text, among);
    ASSERT(coding < API_CODINGS_N && coding == api_coding_accepted(upper, among));
    if (coding == API_IDENTITY)
        return 0;
    ASSERT(among >> coding & 1);
    ASSERT(is_wanted(text, api_coding_name(coding)) || is_wanted(text, "*") ||
           (coding == API_GZIP && is_wanted(text, "x-gzip")));
    return 0;
}
