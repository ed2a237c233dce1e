/* What the heads of the page's documents contain: titles, descriptions, and previews for search engines and
 * messengers, in every language. The build of the page writes them to web/dist/heads.json
 * (web/scripts/heads). Constant after loading; any thread. */
#ifndef RUMMYD_SERVER_HTTP_HEADS_H
#define RUMMYD_SERVER_HTTP_HEADS_H

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>

enum { HEADS_ID_MAX = 64 }; /* bytes of what a page is about, with the NUL */

struct srv_heads;

/* public_url: where browsers reach the page. NULL: the file is not there, or is unusable. */
struct srv_heads *srv_heads_load(const char *web_dir, const char *public_url);
void srv_heads_free(struct srv_heads *heads);

/* The page at a path. */
struct srv_heads_page {
    const char *name;      /* of its texts */
    const char *kind;      /* of what q_page looks up; "": nothing */
    const char *fact;      /* what the id itself is called in texts; "": it is in none */
    const char *preview;   /* its picture; "": that of the entrance */
    char id[HEADS_ID_MAX]; /* what it is about; "": nothing */
    bool open;             /* shown without an account, and found by search engines */
    bool linked;           /* behind a secret link: it has a preview, and search engines leave it out */
};

/* path: without the query. A path that is no page gives the page "unknown". */
void srv_heads_find(const struct srv_heads *heads, const char *path, struct srv_heads_page *page);

/* The first supported language of an Accept-Language header; English if there is none. header may be NULL. */
int srv_heads_language(const struct srv_heads *heads, const char *header);

/* Writes `document`, the built index.html, with the head of this page. facts: a JSON object with the values
 * for its texts, or NULL; without the facts it needs, a page gets its plain title and no preview. */
void srv_heads_write(const struct srv_heads *heads, struct buf *out, const char *document,
                     const struct srv_heads_page *page, const char *path, int language, const json_t *facts);

/* /robots.txt and /sitemap.xml. */
void srv_heads_robots(const struct srv_heads *heads, struct buf *out);
void srv_heads_sitemap(const struct srv_heads *heads, struct buf *out);

#endif
