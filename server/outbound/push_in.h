/* Internals of server/outbound/push*.c: a message, and the interface of the push services. */
#ifndef RUMMYD_SERVER_PUSH_IN_H
#define RUMMYD_SERVER_PUSH_IN_H

#include "base/buf.h"
#include "net/outbound.h"
#include "net/webpush.h"
#include "server/config.h"

enum { PUSH_TOKEN_MAX = 2048, PUSH_TEXT_MAX = NET_WEBPUSH_PLAIN_MAX };

/* A message to send; strings are borrowed. */
struct srv_push_message {
    const char *address, *kind, *title, *body, *data; /* data: JSON */
    const char *topic, *id, *keys;
    int64_t ttl_s, tag;
    bool urgent;
};

/* A push service. `own` is the state that its `load` made: its key and its token. */
struct srv_push_service {
    const char *kind; /* kind of the devices that it serves (push_devices.kind) */
    /* Whether its settings are plausible; otherwise `error` names the key. NULL: any are. Main thread. */
    bool (*settings_ok)(const struct srv_config *config, char error[SRV_ERROR_MAX]);
    /* Reads its key. *own is NULL, and remains NULL if the service is not configured. false: `error` names
     * the setting. Main thread. */
    bool (*load)(const struct srv_config *config, void **own, char error[SRV_ERROR_MAX]);
    void (*free)(void *own); /* not NULL */
    /* Sends, or returns the reason why it cannot. Outbox thread. */
    bool (*send)(const struct srv_config *config, void *own, struct net_outbound *net,
                 const struct srv_push_message *message, const char **why);
    /* Whether a response means that the device no longer exists. Outbox thread. */
    bool (*is_gone)(const struct net_outbound_answer *answer);
    /* Called when the service has rejected the token, so that the next attempt uses a new one. NULL: each
     * message has a separate token. Outbox thread. */
    void (*drop_token)(void *own);
};

#define PROVIDER(id, name) extern const struct srv_push_service srv_push_##id;
#include "server/outbound/push_services.def"

/* The public key of web push. */
const char *srv_push_web_public(const void *own);

/* Reads the P-256 private key in a file; NULL: `error` names the setting. Free it with EVP_PKEY_free. */
EVP_PKEY *srv_push_key_read(const char *setting, const char *path, char error[SRV_ERROR_MAX]);

#endif
