/* Parses Accept-Encoding and picks a coding; see coding.h. */
#include "api/core/coding.h"

#include <string.h>
#include <strings.h>

#include "api/core/request.h"
#include "api/core/route.h"
#include "base/bug.h"

enum { Q_MAX = 1000, Q_NONE = -1 };

static const struct {
    const char *name, *tag;
} codings[API_CODINGS_N] = {{"identity", ""}, {"gzip", "-gz"}, {"br", "-br"}};

const char *api_coding_name(enum api_coding coding)
{
    ASSERT(coding < API_CODINGS_N);
    return codings[coding].name;
}

const char *api_coding_tag(enum api_coding coding)
{
    ASSERT(coding < API_CODINGS_N);
    return codings[coding].tag;
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

/* ";q=0.5" after a coding, in thousandths. NULL: invalid. */
static const char *read_weight(const char *p, int *q)
{
    *q = Q_MAX;
    p = skip_blanks(p);
    if (*p != ';')
        return p;
    p = skip_blanks(p + 1);
    if ((p[0] != 'q' && p[0] != 'Q') || p[1] != '=' || (p[2] != '0' && p[2] != '1'))
        return NULL;
    *q = (p[2] - '0') * Q_MAX;
    p += 3;
    if (*p == '.')
        p++;
    else
        return skip_blanks(p);
    for (int step = Q_MAX / 10; *p >= '0' && *p <= '9'; step /= 10, p++)
        *q += step * (*p - '0');
    return *q <= Q_MAX ? skip_blanks(p) : NULL;
}

static bool is_named(const char *name, size_t len, const char *wanted)
{
    return strlen(wanted) == len && strncasecmp(name, wanted, len) == 0;
}

struct weights {
    int of[API_CODINGS_N], others; /* Q_NONE: not listed; others: the weight of `*` */
};

static void note(struct weights *weights, const char *name, size_t len, int q)
{
    if (is_named(name, len, "*"))
        weights->others = q;
    if (is_named(name, len, "x-gzip")) /* RFC 9110, 8.4.1.3 */
        weights->of[API_GZIP] = q;
    for (int i = 0; i < API_CODINGS_N; i++)
        if (is_named(name, len, codings[i].name))
            weights->of[i] = q;
}

static bool read_list(struct weights *weights, const char *p)
{
    while (*(p += strspn(p, " \t,"))) {
        size_t len = strcspn(p, " \t,;");
        int q;
        const char *end = len > 0 ? read_weight(p + len, &q) : NULL;
        if (!end || (*end != ',' && *end != '\0'))
            return false;
        note(weights, p, len, q);
        p = end;
    }
    return true;
}

enum api_coding api_coding_accepted(const char *header, unsigned among)
{
    struct weights weights = {.of = {Q_NONE, Q_NONE, Q_NONE}, .others = Q_NONE};
    if (!header || !read_list(&weights, header))
        return API_IDENTITY;
    enum api_coding best = API_IDENTITY;
    int best_q = weights.of[API_IDENTITY]; /* Q_NONE if not listed, which any accepted coding beats */
    for (int i = API_GZIP; i < API_CODINGS_N; i++) {
        int q = weights.of[i] != Q_NONE ? weights.of[i] : weights.others;
        if ((among >> i & 1) && q > 0 && q >= best_q) {
            best = (enum api_coding)i;
            best_q = q;
        }
    }
    return best;
}

bool api_coding_may(const struct api_request *request)
{
    return strcmp(request->route->method, "GET") == 0 && !request->route->secret;
}

enum api_coding api_coding_of(const struct api_request *request)
{
    size_t len = request->sent ? request->sent_len : request->out->len;
    if (request->code != API_OK || request->status != 200 || request->streams || len < API_CODED_MIN ||
        len > API_CODED_MAX || !api_coding_may(request))
        return API_IDENTITY;
    return api_coding_accepted(request->accept_encoding, 1u << API_GZIP | 1u << API_BR);
}
