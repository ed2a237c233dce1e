/* The built pages of web_dir: their files, and the page itself for every path of its application, which is
 * the operators' page below /admin and the players' page elsewhere. Each segment of a path is checked for
 * allowed characters, so that no path leads out of the folder. The build stores compressed versions next to
 * each file (index.html.br, index.html.gz). The loop's thread reads the files, because they are small and
 * stay in the kernel's cache. */
#include "server/http/static.h"

#include "api/core/coding.h"
#include "api/core/etag.h"
#include "base/bug.h"
#include "server/http/csp.h"
#include "server/http/reply_headers.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The operators' page loads only from this origin and uses only REST. */
#define CSP_OF_OPERATORS                                                                                     \
    "default-src 'none'; script-src 'self'; " CSP_STYLES "; font-src 'self'; img-src 'self'; "               \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

enum { FORM_LATE_S_MAX = 10 }; /* a copied folder may have modification times in any order */

struct type {
    const char *ending, *name;
    bool packed; /* the build compresses such files (web/scripts/compress.mjs) */
};

static const struct type *type_of(const char *path)
{
    static const struct type types[] = {
        {".html", "text/html; charset=utf-8", true},
        {".js", "text/javascript; charset=utf-8", true},
        {".mjs", "text/javascript; charset=utf-8", true},
        {".css", "text/css; charset=utf-8", true},
        {".svg", "image/svg+xml", true},
        {".json", "application/json", true},
        {".map", "application/json", true},
        {".webmanifest", "application/manifest+json", true},
        {".txt", "text/plain; charset=utf-8", true},
        {".png", "image/png", false},
        {".jpg", "image/jpeg", false},
        {".webp", "image/webp", false},
        {".ico", "image/x-icon", false},
        {".woff2", "font/woff2", false},
        {".wasm", "application/wasm", true},
        {".mp3", "audio/mpeg", false},
        {".ogg", "audio/ogg", false},
    };
    static const struct type other = {"", "application/octet-stream", false};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
        if (strcmp(dot, types[i].ending) == 0)
            return &types[i];
    return &other;
}

/* Whether all segments consist of letters, digits, '.', '-', and '_', and none begins with a dot. */
static bool path_is_plain(const char *path)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    while (*path == '/') {
        path++;
        size_t len = strspn(path, allowed);
        if (path[0] == '.' || (path[len] != '/' && path[len] != '\0'))
            return false;
        path += len;
    }
    return *path == '\0';
}

/* ending: appended to the path, "" for the file itself. -1: no such file. */
static int open_file(const struct srv_http *http, const char *path, const char *ending, struct stat *st)
{
    char name[4096];
    int len = snprintf(name, sizeof(name), "%s%s%s", http->web_dir, path, ending);
    if (len < 0 || (size_t)len >= sizeof(name))
        return -1;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* A file in a particular coding. */
struct form {
    int fd;
    struct stat st;
    enum api_coding coding;
};

/* Picks the coding that the client prefers among those present. Skips a compressed version that is clearly
 * older than the file, because it is outdated. */
static void choose_form(const struct srv_http_request *request, const char *path, struct form *form)
{
    static const char *const endings[API_CODINGS_N] = {[API_GZIP] = ".gz", [API_BR] = ".br"};
    unsigned among = 1u << API_GZIP | 1u << API_BR;
    enum api_coding coding;
    while ((coding = api_coding_accepted(request->headers.accept_encoding, among)) != API_IDENTITY) {
        struct form other = {.coding = coding};
        other.fd = open_file(request->loop->http, path, endings[coding], &other.st);
        if (other.fd >= 0 && other.st.st_mtim.tv_sec + FORM_LATE_S_MAX >= form->st.st_mtim.tv_sec) {
            (void)close(form->fd);
            *form = other;
            return;
        }
        if (other.fd >= 0)
            (void)close(other.fd);
        among &= ~(1u << coding);
    }
}

/* Files below /assets/ never change, because Vite puts a hash of the contents in their names. */
static const char *caching_of(const char *path)
{
    return strncmp(path, "/assets/", 8) == 0 ? "public, max-age=31536000, immutable" : "no-cache";
}

static bool is_of_operators(const char *path)
{
    return strncmp(path, "/admin", 6) == 0 && (path[6] == '/' || path[6] == '\0');
}

/* Opens the file for a path. *path becomes that of the page if the path belongs to its application. false:
 * not found. */
static bool find_file(const struct srv_http *http, const char **path, struct form *form)
{
    *form = (struct form){.fd = -1};
    if (http->web_dir[0] == '\0' || !path_is_plain(*path))
        return false;
    if (strcmp(*path, "/") != 0)
        form->fd = open_file(http, *path, "", &form->st);
    if (form->fd >= 0)
        return true;
    const char *last = strrchr(*path, '/');
    if (last && strchr(last, '.'))
        return false; /* a missing file rather than a path of the application */
    *path = is_of_operators(*path) ? "/admin/index.html" : "/index.html";
    form->fd = open_file(http, *path, "", &form->st);
    return form->fd >= 0;
}

/* Only the replay of a game may be embedded in a frame on another site, because it has no buttons that act
 * for a player. */
static bool may_be_framed(const char *path)
{
    static const char prefix[] = "/embed/";
    size_t len = sizeof prefix - 1;
    if (strncmp(path, prefix, len) != 0)
        return false;
    size_t digits = strspn(path + len, "0123456789");
    return digits > 0 && path[len + digits] == '\0';
}

/* path: the requested path. */
static const char *csp_of(const struct srv_http *http, const char *path, char csp[HTTP_CSP_MAX])
{
    if (is_of_operators(path))
        return CSP_OF_OPERATORS;
    srv_http_csp(http, may_be_framed(path), csp);
    return csp;
}

static void put(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value); /* fails only if memory runs out */
}

/* asked: the requested path; path: that of the file. */
static void dress(struct srv_http_request *request, const char *asked, const char *path,
                  const struct type *type, enum api_coding coding, const char *tag)
{
    struct MHD_Response *response = request->response;
    srv_http_reply_headers(request, response);
    put(response, "Cache-Control", caching_of(path));
    put(response, "ETag", tag);
    char csp[HTTP_CSP_MAX];
    put(response, "Content-Security-Policy", csp_of(request->loop->http, asked, csp));
    if (type->packed)
        put(response, "Vary", "Accept-Encoding");
    if (request->status == MHD_HTTP_NOT_MODIFIED)
        return;
    put(response, "Content-Type", type->name);
    if (coding != API_IDENTITY)
        put(response, "Content-Encoding", api_coding_name(coding));
}

bool srv_http_static(struct srv_http_request *request, const char *asked)
{
    struct form form;
    const char *path = asked;
    if (!find_file(request->loop->http, &path, &form))
        return false;
    const struct type *type = type_of(path);
    char tag[64];
    struct timespec changed = form.st.st_mtim;
    int64_t size = form.st.st_size;
    if (type->packed)
        choose_form(request, path, &form);
    (void)snprintf(tag, sizeof(tag), "\"%llx-%llx%s\"",
                   (unsigned long long)changed.tv_sec ^ (unsigned long long)changed.tv_nsec << 20,
                   (unsigned long long)size, api_coding_tag(form.coding));
    bool unchanged = api_etag_listed(request->headers.if_none_match, tag);
    if (unchanged) {
        (void)close(form.fd);
        request->response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    } else {
        request->response = MHD_create_response_from_fd64((uint64_t)form.st.st_size,
                                                          form.fd); /* takes ownership of the descriptor */
        if (!request->response)
            (void)close(form.fd);
    }
    request->no_route = "page";
    request->bytes = unchanged ? 0 : (size_t)form.st.st_size;
    request->status = unchanged ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
    if (request->response) /* otherwise memory has run out, and the connection closes */
        dress(request, asked, path, type, form.coding, tag);
    return true;
}
