/* The documents of the players' page: the built index.html with the head of the requested page. They are
 * endpoints, because some heads need names from the database. If the database is unavailable, the server
 * sends the document as built. Loop's thread. */
#include "server/http/page.h"

#include "server/http/heads.h"

#include "base/bug.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DOCUMENT_MAX = 64 * 1024 };

static const struct db_stmt q_page = {"q_page", "SELECT status, facts FROM q_page($1, $2)", 2};

static struct srv_http_request *request_of(struct api_request *api)
{
    return (struct srv_http_request *)((char *)api - offsetof(struct srv_http_request, api));
}

/* false: the file is unreadable or has DOCUMENT_MAX bytes or more. */
static bool read_document(const struct srv_http *http, char document[DOCUMENT_MAX])
{
    char path[4096];
    int len = snprintf(path, sizeof(path), "%s/index.html", http->web_dir);
    int fd = len > 0 && (size_t)len < sizeof(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    ssize_t n = read(fd, document, DOCUMENT_MAX);
    (void)close(fd);
    if (n <= 0 || n == DOCUMENT_MAX)
        return false;
    document[n] = '\0';
    return true;
}

static enum api_next reply_text(struct api_request *api, const char *type)
{
    api->status = 200;
    api->content_type = type;
    return API_DONE;
}

static enum api_next reply_document(struct api_request *api, const struct srv_heads_page *page, int status,
                                    const json_t *facts)
{
    struct srv_http_request *request = request_of(api);
    const struct srv_http *http = request->loop->http;
    char document[DOCUMENT_MAX];
    if (!read_document(http, document))
        return api_refuse(api, API_UNAVAILABLE);
    int language = srv_heads_language(http->heads, request->headers.accept_language);
    srv_heads_write(http->heads, api->out, document, page, request->uri, language, facts);
    (void)reply_text(api, "text/html; charset=utf-8");
    api->status = status;
    return API_DONE;
}

static enum api_next begin(struct api_request *api)
{
    struct srv_http_request *request = request_of(api);
    const struct srv_heads *heads = request->loop->http->heads;
    struct srv_heads_page page;
    if (strcmp(request->uri, "/robots.txt") == 0) {
        srv_heads_robots(heads, api->out);
        return reply_text(api, "text/plain; charset=utf-8");
    }
    srv_heads_find(heads, request->uri, &page);
    if (page.kind[0]) {
        db_args_text(&api->args, page.kind);
        db_args_text(&api->args, page.id);
        return API_QUERY;
    }
    json_t *facts = page.fact[0] ? json_pack("{s:s,s:s}", page.fact, page.id, "about", page.id) : NULL;
    enum api_next next = reply_document(api, &page, strcmp(page.name, "unknown") == 0 ? 404 : 200, facts);
    json_decref(facts);
    return next;
}

static enum api_next reply(struct api_request *api, const PGresult *rows)
{
    struct srv_heads_page page;
    srv_heads_find(request_of(api)->loop->http->heads, request_of(api)->uri, &page);
    int status = (int)db_i64(rows, 0, 0);
    const char *found = status == 200 ? db_text(rows, 0, 1) : NULL;
    json_t *facts = found ? json_loads(found, 0, NULL) : NULL;
    enum api_next next = reply_document(api, &page, status, facts);
    json_decref(facts);
    return next;
}

static enum api_next begin_sitemap(struct api_request *api)
{
    db_args_text(&api->args, "sitemap");
    db_args_text(&api->args, "");
    return API_QUERY;
}

static enum api_next reply_sitemap(struct api_request *api, const PGresult *rows)
{
    json_t *subjects = json_loads(db_text(rows, 0, 1), 0, NULL);
    srv_heads_sitemap(request_of(api)->loop->http->heads, api->out, subjects);
    json_decref(subjects);
    return reply_text(api, "application/xml");
}

#define READ .method = "GET", .role = API_ANYONE, .standby = true
static const struct api_operation send_page = {.stmt = &q_page, .begin = begin, .reply = reply};
static const struct api_operation send_sitemap = {
    .stmt = &q_page, .begin = begin_sitemap, .reply = reply_sitemap};
#define PAGE READ, .path = "/", .id = "page", .tagged = true, .operation = &send_page
static const struct api_route page_route = {PAGE, .rate = API_RATE_READ};
/* Limits guessing of link codes, like the endpoints of the codes. */
static const struct api_route link_route = {PAGE, .rate = API_RATE_LINK};
static const struct api_route sitemap_route = {READ, .path = "/sitemap.xml", .id = "sitemap",
                                               .rate = API_RATE_READ, .operation = &send_sitemap};

bool srv_http_is_page(const struct api_route *route)
{
    return route == &page_route || route == &link_route;
}

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

const struct api_route *srv_http_page(const struct srv_http *http, const char *path)
{
    struct srv_heads_page page;
    if (!http->heads || is_below(path, "/admin") || is_below(path, "/embed"))
        return NULL;
    if (strcmp(path, "/robots.txt") == 0)
        return &page_route;
    if (strcmp(path, "/sitemap.xml") == 0)
        return &sitemap_route;
    const char *last = strrchr(path, '/');
    if (!last || strchr(last, '.'))
        return NULL;
    srv_heads_find(http->heads, path, &page);
    return page.linked ? &link_route : &page_route;
}
