/* HTML heads of the page's documents: titles, descriptions, and link previews for search engines and
 * messengers, in every language. The page build writes them to web/dist/heads.json (web/scripts/heads).
 * Constant after loading; any thread. */
#ifndef RUMMYD_SERVER_HTTP_HEADS_H
#define RUMMYD_SERVER_HTTP_HEADS_H

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>

enum { HEADS_ID_MAX = 64 }; /* bytes of an id in a path, including the NUL */

struct srv_heads;

/* public_url: where browsers reach the page. Returns NULL if the file is missing or invalid. */
struct srv_heads *srv_heads_load(const char *web_dir, const char *public_url);
void srv_heads_free(struct srv_heads *heads);

/* The page at a path. Absent strings are "". */
struct srv_heads_page {
    const char *name;      /* key of the page's texts */
    const char *kind;      /* kind of the subject, for q_page */
    const char *fact;      /* the {place} in the texts that the id fills */
    const char *preview;   /* preview picture; "": the home page's */
    char id[HEADS_ID_MAX]; /* id of the subject: a player, a club, and so on */
    bool open;             /* shown without an account, and indexed by search engines */
    bool linked;           /* behind a secret link: it has a preview but is not indexed */
};

/* path: without the query. A path without a page yields the page "unknown". */
void srv_heads_find(const struct srv_heads *heads, const char *path, struct srv_heads_page *page);

/* The first supported language in an Accept-Language header, or else English. header may be NULL. */
int srv_heads_language(const struct srv_heads *heads, const char *header);

/* Writes `document`, the built index.html, with the head of this page. facts: a JSON object with the values
 * for its texts, or NULL. If a value is missing, the page gets a plain title and no preview. */
void srv_heads_write(const struct srv_heads *heads, struct buf *out, const char *document,
                     const struct srv_heads_page *page, const char *path, int language, const json_t *facts);

/* Write /robots.txt and /sitemap.xml. subjects: ids by page name, {"club": ["12"]}, or NULL. */
void srv_heads_robots(const struct srv_heads *heads, struct buf *out);
void srv_heads_sitemap(const struct srv_heads *heads, struct buf *out, const json_t *subjects);

#endif
