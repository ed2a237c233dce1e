/* See heads.h. */
#include "server/http/heads.h"

#include "server/edge/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SEGMENTS_MAX = 3, TAG_MAX = 24 };

struct srv_heads {
    json_t *root;
    const json_t *languages, *near, *pages, *previews, *texts, *words; /* of root */
    char *public_url;
};

/* --- loading --- */

struct srv_heads *srv_heads_load(const char *web_dir, const char *public_url)
{
    char path[4096];
    struct srv_heads *heads = calloc(1, sizeof(*heads));
    int len = snprintf(path, sizeof(path), "%s/heads.json", web_dir);
    if (heads && web_dir[0] && len > 0 && (size_t)len < sizeof(path)) {
        heads->public_url = strdup(public_url);
        heads->root = json_load_file(path, 0, NULL);
        heads->languages = json_object_get(heads->root, "languages");
        heads->near = json_object_get(heads->root, "near");
        heads->pages = json_object_get(heads->root, "pages");
        heads->previews = json_object_get(heads->root, "previews");
        heads->texts = json_object_get(heads->root, "texts");
        heads->words = json_object_get(heads->root, "words");
    }
    if (heads && heads->public_url && json_array_size(heads->languages) > 0 && heads->pages && heads->texts)
        return heads;
    srv_heads_free(heads);
    return NULL;
}

void srv_heads_free(struct srv_heads *heads)
{
    if (!heads)
        return;
    json_decref(heads->root);
    free(heads->public_url);
    free(heads);
}

/* --- finding the page --- */

static const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

struct segment {
    const char *text;
    size_t len;
};

static bool is_segment(const struct segment *segment, const char *text)
{
    return strlen(text) == segment->len && memcmp(segment->text, text, segment->len) == 0;
}

/* Returns the number of segments, or SEGMENTS_MAX + 1 for more segments than any page has. */
static int split(const char *path, struct segment segments[SEGMENTS_MAX])
{
    int n = 0;
    while (*(path += strspn(path, "/"))) {
        if (n == SEGMENTS_MAX)
            return n + 1;
        segments[n].text = path;
        segments[n].len = strcspn(path, "/");
        path += segments[n++].len;
    }
    return n;
}

static bool is_word(const struct segment *segment, const char *allowed)
{
    return segment->len < HEADS_ID_MAX && strspn(segment->text, allowed) >= segment->len;
}

/* Whether a segment is a valid id: digits, a word, or an item of a list. */
static bool is_id(const json_t *ids, const struct segment *segment)
{
    static const char word[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    if (json_is_string(ids))
        return is_word(segment, strcmp(json_string_value(ids), "number") == 0 ? "0123456789" : word);
    for (size_t i = 0; i < json_array_size(ids); i++)
        if (is_segment(segment, json_string_value(json_array_get(ids, i))))
            return true;
    return false;
}

/* `ids` lists the valid second segments, `rest` the valid third ones. */
static bool is_page(const json_t *row, const struct segment *segments, int n)
{
    const char *first = member(row, "first");
    const json_t *ids = json_object_get(row, "ids"), *rest = json_object_get(row, "rest");
    return n == (first[0] != '\0') + (ids != NULL) + (rest != NULL) &&
           (n == 0 || is_segment(&segments[0], first)) && (!ids || is_id(ids, &segments[1])) &&
           (!rest || is_id(rest, &segments[2]));
}

void srv_heads_find(const struct srv_heads *heads, const char *path, struct srv_heads_page *page)
{
    struct segment segments[SEGMENTS_MAX];
    int n = split(path, segments);
    *page = (struct srv_heads_page){.name = "unknown", .kind = "", .fact = "", .preview = ""};
    for (size_t i = 0; i < json_array_size(heads->pages); i++) {
        const json_t *row = json_array_get(heads->pages, i);
        if (!is_page(row, segments, n))
            continue;
        page->name = member(row, "name");
        page->kind = member(row, "kind");
        page->fact = member(row, "fact");
        page->preview = member(row, "preview");
        page->open = json_is_true(json_object_get(row, "open"));
        page->linked = json_is_true(json_object_get(row, "linked"));
        if (n > 1)
            memcpy(page->id, segments[1].text, segments[1].len);
        if (page->fact[0])
            page->preview = member(heads->previews, page->id);
        return;
    }
}

/* --- choosing the language --- */

static int language_of(const struct srv_heads *heads, const char *tag)
{
    for (size_t i = 0; i < json_array_size(heads->languages); i++)
        if (strcasecmp(json_string_value(json_array_get(heads->languages, i)), tag) == 0)
            return (int)i;
    return -1;
}

/* "de-AT" selects German, "sr-Cyrl-RS" Serbian in Cyrillic. Unsupported languages fall back to a close
 * one. */
static int spoken(const struct srv_heads *heads, char tag[TAG_MAX])
{
    for (;;) {
        int language = language_of(heads, tag);
        const char *close = member(heads->near, tag);
        if (language < 0 && close[0])
            language = language_of(heads, close);
        char *end = strrchr(tag, '-');
        if (language >= 0 || !end)
            return language;
        *end = '\0';
    }
}

int srv_heads_language(const struct srv_heads *heads, const char *header)
{
    for (const char *p = header ? header : ""; *p; p += strcspn(p, ","), p += *p == ',') {
        p += strspn(p, " \t");
        char tag[TAG_MAX];
        size_t len = strcspn(p, ",; \t");
        if (len == 0 || len >= sizeof(tag))
            continue;
        memcpy(tag, p, len);
        tag[len] = '\0';
        int language = spoken(heads, tag);
        if (language >= 0)
            return language;
    }
    return language_of(heads, "en") < 0 ? 0 : language_of(heads, "en");
}

/* --- texts --- */

struct said {
    const struct srv_heads *heads;
    const json_t *texts, *words; /* of the language */
    const json_t *facts;
};

static void put_escaped(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        switch (text[i]) {
        case '&':
            buf_str(out, "&amp;");
            break;
        case '<':
            buf_str(out, "&lt;");
            break;
        case '>':
            buf_str(out, "&gt;");
            break;
        case '"':
            buf_str(out, "&quot;");
            break;
        default:
            buf_put(out, &text[i], 1);
        }
}

/* Writes the translation of a value, if there is one ("variant.pool101"), or else the value itself. */
static void put_text(const struct said *said, struct buf *out, const char *name, const char *value)
{
    char key[2 * HEADS_ID_MAX];
    (void)snprintf(key, sizeof(key), "%s.%s", name, value);
    const char *word = member(said->words, key);
    const char *text = word[0] ? word : value;
    put_escaped(out, text, strlen(text));
}

static void put_fact(const struct said *said, struct buf *out, const char *name)
{
    const json_t *fact = json_object_get(said->facts, name);
    if (json_is_integer(fact))
        buf_int(out, json_integer_value(fact));
    if (json_is_string(fact))
        put_text(said, out, name, json_string_value(fact));
    for (size_t i = 0; i < json_array_size(fact); i++) {
        buf_str(out, i > 0 ? ", " : "");
        put_text(said, out, name, json_string_value(json_array_get(fact, i)));
    }
}

/* Writes a text with its {places} filled in. */
static void put_filled(const struct said *said, struct buf *out, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "{");
        put_escaped(out, text, len);
        text += len;
        const char *end = *text ? strchr(text, '}') : NULL;
        if (!end)
            break;
        char name[HEADS_ID_MAX];
        (void)snprintf(name, sizeof(name), "%.*s", (int)(end - text - 1), text + 1);
        put_fact(said, out, name);
        text = end + 1;
    }
}

/* Whether there is a fact for every {place} in a text. */
static bool can_fill(const struct said *said, const char *text)
{
    while ((text = strchr(text, '{'))) {
        const char *end = strchr(text, '}');
        char name[HEADS_ID_MAX];
        (void)snprintf(name, sizeof(name), "%.*s", end ? (int)(end - text - 1) : 0, text + 1);
        if (!end || !json_object_get(said->facts, name))
            return false;
        text = end;
    }
    return true;
}

/* --- the document --- */

static void put_meta(const struct said *said, struct buf *out, const char *attribute, const char *name,
                     const char *text)
{
    buf_fmt(out, "    <meta %s=\"%s\" content=\"", attribute, name);
    put_filled(said, out, text);
    buf_str(out, "\" />\n");
}

static void put_address(const struct srv_heads *heads, struct buf *out, const char *path)
{
    put_escaped(out, heads->public_url, strlen(heads->public_url));
    put_escaped(out, path, strlen(path));
}

static void put_picture(const struct said *said, struct buf *out, const char *name)
{
    buf_str(out, "    <meta property=\"og:image\" content=\"");
    put_address(said->heads, out, "/preview/");
    buf_fmt(out, "%s.png\" />\n", name[0] ? name : "home");
    put_meta(said, out, "property", "og:image:width", "1200");
    put_meta(said, out, "property", "og:image:height", "630");
    put_meta(said, out, "property", "og:image:alt", member(said->texts, "picture"));
    put_meta(said, out, "name", "twitter:card", "summary_large_image");
}

static void put_preview(const struct said *said, struct buf *out, const struct srv_heads_page *page,
                        const char *title, const char *text, const char *path)
{
    char plain[SRV_HEAD_TARGET_MAX + 1]; /* without trailing slashes */
    (void)snprintf(plain, sizeof(plain), "%s", path);
    for (size_t len = strlen(plain); len > 1 && plain[len - 1] == '/'; len--)
        plain[len - 1] = '\0';
    put_meta(said, out, "property", "og:type", "website");
    put_meta(said, out, "property", "og:site_name", member(said->texts, "site"));
    put_meta(said, out, "property", "og:title", title);
    put_meta(said, out, "property", "og:description", text);
    buf_str(out, "    <meta property=\"og:url\" content=\"");
    put_address(said->heads, out, plain);
    buf_str(out, "\" />\n    <link rel=\"canonical\" href=\"");
    put_address(said->heads, out, plain);
    buf_str(out, "\" />\n");
    put_picture(said, out, page->preview);
}

static void put_head(const struct said *said, struct buf *out, const struct srv_heads_page *page,
                     const char *path)
{
    const json_t *pair = json_object_get(said->texts, page->name);
    const char *title = json_string_value(json_array_get(pair, 0));
    const char *text = json_string_value(json_array_get(pair, 1));
    bool open =
        (page->open || page->linked) && title && text && can_fill(said, title) && can_fill(said, text);
    if (!open) { /* titles of pages that are not open have no {places} */
        title = title && can_fill(said, title) ? title : member(said->texts, "site");
        text = member(said->texts, "about");
    }
    buf_str(out, "<title>");
    put_filled(said, out, title);
    buf_str(out, "</title>\n");
    put_meta(said, out, "name", "description", text);
    if (open)
        put_preview(said, out, page, title, text, path);
    if (!open || page->linked)
        put_meta(said, out, "name", "robots", "noindex");
}

/* Writes the content for browsers without JavaScript. */
static void put_noscript(const struct said *said, struct buf *out, const struct srv_heads_page *page)
{
    const json_t *pair = json_object_get(said->texts, page->name);
    const char *title = json_string_value(json_array_get(pair, 0));
    const char *text = json_string_value(json_array_get(pair, 1));
    buf_str(out, "<noscript>\n      <h1>");
    put_filled(said, out, title && can_fill(said, title) ? title : member(said->texts, "site"));
    buf_str(out, "</h1>\n      <p>");
    put_filled(said, out, text && can_fill(said, text) ? text : member(said->texts, "about"));
    buf_str(out, "</p>\n      <p>");
    put_filled(said, out, member(said->texts, "noscript"));
    buf_str(out, "</p>\n    </noscript>");
}

/* Writes the document up to `begin` and returns the part after `end`, or NULL if either is missing. */
static const char *copy_to(struct buf *out, const char *document, const char *begin, const char *end)
{
    const char *at = strstr(document, begin);
    const char *after = at ? strstr(at + strlen(begin), end) : NULL;
    if (!after)
        return NULL;
    buf_put(out, document, (size_t)(at - document));
    return after + strlen(end);
}

void srv_heads_write(const struct srv_heads *heads, struct buf *out, const char *document,
                     const struct srv_heads_page *page, const char *path, int language, const json_t *facts)
{
    const char *tag = json_string_value(json_array_get(heads->languages, (size_t)language));
    struct said said = {.heads = heads,
                        .texts = json_object_get(heads->texts, tag),
                        .words = json_object_get(heads->words, tag),
                        .facts = facts};
    const char *rest = copy_to(out, document, "lang=\"", "\"");
    if (!rest) {
        buf_str(out, document);
        return;
    }
    buf_fmt(out, "lang=\"%s\"", tag);
    const char *after = copy_to(out, rest, "<!--head-->", "<!--/head-->");
    if (after) {
        put_head(&said, out, page, path);
        rest = after;
        after = copy_to(out, rest, "<!--noscript-->", "<!--/noscript-->");
    }
    if (after) {
        put_noscript(&said, out, page);
        rest = after;
    }
    buf_str(out, rest);
}

/* --- for search engines --- */

/* Whether this row is the first with its first segment and crawlers must not fetch any page under that
 * segment. Pages behind secret links stay allowed, because messengers that obey robots.txt fetch them for
 * previews. */
static bool is_disallowed(const struct srv_heads *heads, size_t at)
{
    const char *first = member(json_array_get(heads->pages, at), "first");
    for (size_t i = 0; i < json_array_size(heads->pages); i++) {
        const json_t *row = json_array_get(heads->pages, i);
        if (strcmp(member(row, "first"), first) == 0 &&
            (i < at || json_is_true(json_object_get(row, "open")) ||
             json_is_true(json_object_get(row, "linked"))))
            return false;
    }
    return true;
}

void srv_heads_robots(const struct srv_heads *heads, struct buf *out)
{
    buf_str(out, "User-agent: *\nDisallow: /v1/\nDisallow: /admin/\n");
    for (size_t i = 0; i < json_array_size(heads->pages); i++)
        if (is_disallowed(heads, i))
            buf_fmt(out, "Disallow: /%s\n", member(json_array_get(heads->pages, i), "first"));
    buf_fmt(out, "Sitemap: %s/sitemap.xml\n", heads->public_url);
}

static void put_url(const struct srv_heads *heads, struct buf *out, const char *first, const char *id)
{
    char path[2 * HEADS_ID_MAX];
    (void)snprintf(path, sizeof(path), "/%s%s%s", first, id[0] ? "/" : "", id);
    buf_str(out, "  <url><loc>");
    put_address(heads, out, path);
    buf_str(out, "</loc></url>\n");
}

static void put_urls(const struct srv_heads *heads, struct buf *out, const char *first, const json_t *ids)
{
    for (size_t i = 0; i < json_array_size(ids); i++)
        put_url(heads, out, first, json_string_value(json_array_get(ids, i)));
}

void srv_heads_sitemap(const struct srv_heads *heads, struct buf *out, const json_t *subjects)
{
    buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (size_t i = 0; i < json_array_size(heads->pages); i++) {
        const json_t *row = json_array_get(heads->pages, i), *ids = json_object_get(row, "ids");
        const char *first = member(row, "first");
        if (!json_is_true(json_object_get(row, "open")) || json_object_get(row, "rest"))
            continue;
        if (!ids)
            put_url(heads, out, first, "");
        put_urls(heads, out, first, ids);
        put_urls(heads, out, first, json_object_get(subjects, member(row, "name")));
    }
    buf_str(out, "</urlset>\n");
}
