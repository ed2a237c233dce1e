/* Internals of server/outbound/push*.c: the parts of a message, and the adapters. Outbox thread. */
#ifndef RUMMYD_SERVER_PUSH_IN_H
#define RUMMYD_SERVER_PUSH_IN_H

#include "base/buf.h"
#include "net/google_account.h"
#include "net/webpush.h"
#include "server/outbound/push.h"

enum { PUSH_TOKEN_MAX = 2048, PUSH_TEXT_MAX = NET_WEBPUSH_PLAIN_MAX };

struct srv_push {
    const struct srv_config *config;
    EVP_PKEY *web; /* NULL: off */
    char web_public[NET_WEBPUSH_KEY_MAX];
    EVP_PKEY *apple;                   /* NULL: off */
    struct net_google_account *google; /* NULL: off */
    /* Our tokens for Apple and Google, and until when they are valid; empty: not requested yet. */
    char apple_token[PUSH_TOKEN_MAX], google_token[PUSH_TOKEN_MAX];
    int64_t apple_until_s, google_until_s;
    int64_t google_again_s; /* Google returned none: do not retry before */
    char kinds[32];
};

/* A message to be sent; texts are borrowed. */
struct srv_push_message {
    const char *address, *kind, *title, *body, *data; /* data: JSON */
    const char *topic, *id, *keys;
    int64_t ttl_s, tag;
    bool urgent;
};

/* Each sends, or returns the reason why it cannot. */
bool srv_push_send_web(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                       const char **why);
bool srv_push_send_apple(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                         const char **why);
bool srv_push_send_google(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                          const char **why);

#endif
