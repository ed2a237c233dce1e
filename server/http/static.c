/* The built page of web_dir: its files, and the page itself for every path of the application.
 * A path is taken apart and checked letter by letter, so none leads out of the folder. Loop's thread:
 * what is read here is small and stays in the kernel's cache. */
#include "server/http/request.h"

#include "api/etag.h"
#include "base/bug.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".mp3", "audio/mpeg"},
        {".ogg", "audio/ogg"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
        if (strcmp(dot, types[i].ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}

/* Segments of letters, digits, '.', '-' and '_' that do not begin with a dot. */
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

/* -1: no such file. */
static int open_file(const struct srv_http *http, const char *path, struct stat *st)
{
    char name[4096];
    int len = snprintf(name, sizeof(name), "%s%s", http->web_dir, path);
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

/* Vite puts a hash of the contents in the names below /assets/: such a file never changes. */
static const char *caching_of(const char *path)
{
    return strncmp(path, "/assets/", 8) == 0 ? "public, max-age=31536000, immutable" : "no-cache";
}

bool srv_http_static(struct srv_http_request *request, const char *path)
{
    const struct srv_http *http = request->loop->http;
    struct stat st;
    if (http->web_dir[0] == '\0' || !path_is_plain(path))
        return false;
    int fd = strcmp(path, "/") == 0 ? -1 : open_file(http, path, &st);
    if (fd < 0) {
        const char *last = strrchr(path, '/');
        if (last && strchr(last, '.'))
            return false; /* a file that is not there, no path of the application */
        path = "/index.html";
        fd = open_file(http, path, &st);
    }
    if (fd < 0)
        return false;
    char tag[64];
    (void)snprintf(tag, sizeof(tag), "\"%llx-%llx\"",
                   (unsigned long long)st.st_mtim.tv_sec ^ (unsigned long long)st.st_mtim.tv_nsec << 20,
                   (unsigned long long)st.st_size);
    bool unchanged = api_etag_listed(request->headers.if_none_match, tag);
    if (unchanged) {
        (void)close(fd);
        request->response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    } else {
        request->response = MHD_create_response_from_fd64((uint64_t)st.st_size, fd); /* closes it */
        if (!request->response)
            (void)close(fd);
    }
    request->no_route = "page";
    request->bytes = unchanged ? 0 : (size_t)st.st_size;
    request->status = unchanged ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
    if (!request->response)
        return true; /* no memory: the connection closes */
    srv_http_reply_headers(request, request->response);
    (void)MHD_add_response_header(request->response, "Cache-Control", caching_of(path));
    (void)MHD_add_response_header(request->response, "ETag", tag);
    (void)MHD_add_response_header(request->response, "Content-Security-Policy", http->csp);
    if (!unchanged)
        (void)MHD_add_response_header(request->response, "Content-Type", type_of(path));
    return true;
}
