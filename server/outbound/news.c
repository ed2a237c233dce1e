/* The bus between REST, the hub, and the other nodes; see news.h. */
#include "server/outbound/news.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "db/pg.h"
#include "server/hub/wake.h"
#include "server/operations/metrics.h"

struct srv_news {
    struct srv_hub *hub;
    struct srv_http *http;
    struct api_revoked *revoked;
    struct bus_port *bus;
    struct api_revoked_watch revoked_watch;
    struct db_news_watch news_watch;
};

/* ---- Receiving ---- */
static void received(void *ctx, const struct bus_message *message, bool own)
{
    struct srv_news *news = ctx;
    bool everything = message->kind == BUS_CHECK_ALL;
    if (!own && (everything || message->kind == BUS_PLAYER_REVOKED || message->kind == BUS_SESSION_ENDED))
        srv_http_check_revoked(news->http);
    if (own && message->kind == BUS_LOBBY)
        return; /* the hub itself has sent it */
    if (own && message->kind == BUS_TABLE_CHANGED)
        srv_hub_table_changed(news->hub, message->id);
    else
        srv_hub_receive(news->hub, message);
}

static void count(void *ctx, enum bus_count what, int64_t n)
{
    static const enum srv_metric metrics[] = {[BUS_SENT] = METRIC_BUS_SENT,
                                              [BUS_RECEIVED] = METRIC_BUS_RECEIVED,
                                              [BUS_DROPPED] = METRIC_BUS_DROPPED,
                                              [BUS_BAD] = METRIC_BUS_BAD};
    (void)ctx;
    srv_metric_add(metrics[what], n);
}

static void up(void *ctx, bool is_up)
{
    (void)ctx;
    srv_metric_set(METRIC_BUS_UP, is_up);
}

/* ---- Sending for REST ---- */
static void on_revoked(void *ctx, enum api_revoked_kind kind, int64_t id)
{
    struct srv_news *news = ctx;
    if (id == 0) /* the lists have been read */
        srv_hub_wake(news->hub);
    else
        srv_news_publish(news, kind == API_BANNED_PLAYERS ? BUS_PLAYER_REVOKED : BUS_SESSION_ENDED, id);
}

/* Announces a notification that this process has written. */
static void on_news(void *ctx, int64_t player_id)
{
    srv_news_publish(ctx, BUS_PLAYER_NEWS, player_id);
}

void srv_news_publish(struct srv_news *news, enum bus_kind kind, int64_t id)
{
    if (news)
        bus_publish(news->bus, kind, id);
}

/* ---- Start and stop ---- */
struct srv_news *srv_news_start(const struct srv_config *config, struct srv_hub *hub, struct srv_http *http,
                                struct api_revoked *revoked, char error[SRV_ERROR_MAX])
{
    const char *why = "memory is short";
    struct srv_news *news = calloc(1, sizeof(*news));
    const struct bus_ports ports = {.ctx = news, .received = received, .count = count, .up = up};
    const struct bus_nats_options nats = {.url = config->bus_url, .ca = config->bus_ca, .name = config->node};
    if (news) {
        *news = (struct srv_news){.hub = hub, .http = http, .revoked = revoked};
        news->bus = config->bus_url[0] ? bus_nats(&nats, &ports, &why) : bus_local(&ports);
    }
    if (!news || !news->bus) {
        (void)snprintf(error, SRV_ERROR_MAX, "bus_url: %s", why);
        free(news);
        return NULL;
    }
    srv_hub_join(hub, news->bus);
    news->revoked_watch = (struct api_revoked_watch){.ctx = news, .changed = on_revoked};
    news->news_watch = (struct db_news_watch){.ctx = news, .news = on_news};
    api_revoked_watch(revoked, &news->revoked_watch);
    db_watch_news(&news->news_watch);
    return news;
}

void srv_news_stop(struct srv_news *news)
{
    if (news)
        bus_stop(news->bus);
}

void srv_news_free(struct srv_news *news)
{
    if (!news)
        return;
    api_revoked_watch(news->revoked, NULL);
    db_watch_news(NULL);
    bus_free(news->bus);
    free(news);
}
