/* The list of push services, the texts, and the choice of the service; see push.h. */
#include "server/outbound/push.h"

#include "base/bug.h"
#include "db/pg.h"
#include "mail/template.h"
#include "server/outbound/push_in.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROVIDER(id, name) &srv_push_##id,
static const struct srv_push_service *const services[] = {
#include "server/outbound/push_services.def"
};

enum { SERVICES_N = ARRAY_LEN(services), KIND_MAX = 16 /* bytes of a kind and a space */ };

struct srv_push {
    const struct srv_config *config;
    void *own[SERVICES_N]; /* state of each service; NULL: not configured */
    char kinds[SERVICES_N * KIND_MAX];
};

/* --- startup --- */

bool srv_push_settings_ok(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    for (size_t i = 0; i < SERVICES_N; i++)
        if (services[i]->settings_ok && !services[i]->settings_ok(config, error))
            return false;
    return true;
}

static bool load(struct srv_push *push, char error[SRV_ERROR_MAX])
{
    size_t len = 0;
    for (size_t i = 0; i < SERVICES_N; i++) {
        if (!services[i]->load(push->config, &push->own[i], error))
            return false;
        if (push->own[i])
            len += (size_t)snprintf(push->kinds + len, sizeof(push->kinds) - len, "%s ", services[i]->kind);
        ASSERT(len < sizeof(push->kinds));
    }
    return true;
}

struct srv_push *srv_push_load(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    struct srv_push *push = calloc(1, sizeof(*push));
    (void)snprintf(error, SRV_ERROR_MAX, "push: out of memory");
    if (!push)
        return NULL;
    push->config = config;
    if (load(push, error))
        return push;
    srv_push_free(push);
    return NULL;
}

void srv_push_free(struct srv_push *push)
{
    if (!push)
        return;
    for (size_t i = 0; i < SERVICES_N; i++)
        if (push->own[i])
            services[i]->free(push->own[i]);
    free(push);
}

const char *srv_push_kinds(const struct srv_push *push)
{
    return push->kinds;
}

const char *srv_push_web_key(const struct srv_push *push)
{
    for (size_t i = 0; i < SERVICES_N; i++)
        if (services[i] == &srv_push_web && push->own[i])
            return srv_push_web_public(push->own[i]);
    return "";
}

/* --- on the outbox's thread --- */

static const char *column(const PGresult *rows, int row, const char *name)
{
    return db_text(rows, row, db_col(rows, name));
}

/* Fills the texts of the notification's kind in the player's language. */
static bool fill(const struct srv_push *push, struct mail_text *text, const PGresult *rows, int row,
                 char why[MAIL_WHY_MAX])
{
    char name[64];
    (void)snprintf(name, sizeof(name), "push_%s", column(rows, row, "event"));
    json_t *values = json_loads(column(rows, row, "body"), 0, NULL);
    bool ok =
        mail_template_fill(text, column(rows, row, "language"), name, push->config->public_url, values, why);
    json_decref(values);
    text->body[ok ? strcspn(text->body, "\n") : 0] = '\0';
    return ok;
}

bool srv_push_send(struct srv_push *push, struct net_outbound *net, const PGresult *rows, int row,
                   int64_t tag, const char **why)
{
    static struct mail_text text; /* used only by this thread */
    static char said[MAIL_WHY_MAX];
    size_t service = srv_push_service_of(rows, row);
    *why = said;
    if (!fill(push, &text, rows, row, said))
        return false;
    const struct srv_push_message message = {.address = column(rows, row, "url"),
                                             .kind = column(rows, row, "event"),
                                             .title = text.subject,
                                             .body = text.body,
                                             .data = column(rows, row, "body"),
                                             .topic = column(rows, row, "topic"),
                                             .id = column(rows, row, "token"),
                                             .keys = column(rows, row, "secrets"),
                                             .ttl_s = db_i64(rows, row, db_col(rows, "ttl_s")),
                                             .tag = tag,
                                             .urgent = db_bool(rows, row, db_col(rows, "urgent"))};
    *why = "its service is not set up";
    return service < SERVICES_N && push->own[service] &&
           services[service]->send(push->config, push->own[service], net, &message, why);
}

size_t srv_push_service_of(const PGresult *rows, int row)
{
    size_t i = 0;
    while (i < SERVICES_N && strcmp(services[i]->kind, column(rows, row, "kind")) != 0)
        i++;
    return i;
}

const char *srv_push_outcome(struct srv_push *push, size_t service, const struct net_outbound_answer *answer)
{
    ASSERT(service < SERVICES_N && push->own[service]);
    const struct srv_push_service *of = services[service];
    if ((answer->status == 401 || answer->status == 403) && of->drop_token)
        of->drop_token(push->own[service]);
    if (answer->status / 100 == 2)
        return "sent";
    if (of->is_gone(answer))
        return "gone";
    return answer->forbidden || answer->status == 400 || answer->status == 413 ? "refused" : "again";
}
