/* See provider.h. */
#include "tests/oidc/provider.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct provider provider;
static int listener;

/* Reads until the head and the whole body have arrived. */
static void read_request(int fd, char *text, size_t cap)
{
    size_t len = 0, wanted = 0;
    for (;;) {
        ssize_t n = read(fd, text + len, cap - 1 - len);
        if (n <= 0)
            return;
        len += (size_t)n;
        text[len] = '\0';
        const char *body = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "\r\nContent-Length:");
        if (body && length)
            wanted = strtoul(length + strlen("\r\nContent-Length:"), NULL, 10);
        if (body && len >= (size_t)(body + 4 - text) + wanted)
            return;
    }
}

static void keep_post(const char *text)
{
    const char *head = strcasestr(text, "\r\nAuthorization: "), *body = strstr(text, "\r\n\r\n");
    head = head ? head + strlen("\r\nAuthorization: ") : "";
    (void)snprintf(provider.authorization, sizeof(provider.authorization), "%.*s", (int)strcspn(head, "\r"),
                   head);
    (void)snprintf(provider.form, sizeof(provider.form), "%s", body ? body + 4 : "");
}

static void answer(int fd)
{
    static const char *const paths[] = {"GET /.well-known/openid-configuration ", "GET /keys ",
                                        "POST /token "};
    static char text[32768], reply[16384];
    text[0] = '\0';
    read_request(fd, text, sizeof(text));
    for (int i = 0; i < PROVIDER_PATHS_N; i++) {
        if (strncmp(text, paths[i], strlen(paths[i])) != 0)
            continue;
        provider.at[i].asked++;
        if (i == PROVIDER_TOKEN)
            keep_post(text);
        int len = snprintf(reply, sizeof(reply),
                           "HTTP/1.1 %d Answer\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n%s",
                           provider.at[i].status, strlen(provider.at[i].body), provider.at[i].headers,
                           provider.at[i].body);
        if (provider.at[i].status != 0 && write(fd, reply, (size_t)len) != len)
            abort();
    }
    (void)close(fd);
}

static void *serve(void *arg)
{
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;)
        answer(fd);
    return arg;
}

struct oidc_client *provider_start(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(bind(listener, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(listener, 8) == 0 &&
              getsockname(listener, (struct sockaddr *)&at, &len) == 0);
    (void)snprintf(provider.url, sizeof(provider.url), "http://127.0.0.1:%d", ntohs(at.sin_port));
    for (int i = 0; i < PROVIDER_PATHS_N; i++) {
        provider.at[i].status = 200;
        provider.at[i].headers = "";
    }
    (void)snprintf(
        provider.at[PROVIDER_DISCOVERY].body, sizeof(provider.at[0].body),
        "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":\"%s/token\","
        "\"jwks_uri\":\"%s/keys\"}",
        provider.url, provider.url, provider.url, provider.url);
    cr_assert_eq(pthread_create(&thread, NULL, serve, NULL), 0);
    cr_assert_eq(setenv("no_proxy", "127.0.0.1", 1), 0);
    cr_assert_eq(setenv("NO_PROXY", "127.0.0.1", 1), 0);

    static struct oidc_client client, *oidc = &client;
    cr_assert(net_start() && oidc_start(oidc));
    oidc->net.timeout_ms = 60000;
    oidc->plain_ok = true;
    oidc->providers_n = 1;
    (void)snprintf(oidc->provider[0].issuer, sizeof(oidc->provider[0].issuer), "%s", provider.url);
    (void)snprintf(oidc->provider[0].client_id, sizeof(oidc->provider[0].client_id), "rummy.example.apps");
    (void)snprintf(oidc->provider[0].scopes, sizeof(oidc->provider[0].scopes), "openid email");
    return oidc;
}
