/* tableload: fills tables with players on a local rummyd, plays legal moves, measures latencies as players
 * see them, and checks every frame. Developers run it with bench/run; --help lists the options. */
#include <arpa/inet.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "bench/load.h"

static const char usage[] =
    "usage: tableload [options]\n"
    "  --mode M          closed (default), open, idle, storm, crash\n"
    "  --via S           where seats come from: rest, sql, file (default rest)\n"
    "  --ws ADDR:PORT    sockets (default 127.0.0.1:8081); loopback only\n"
    "  --http ADDR:PORT  REST (default 127.0.0.1:8080); loopback only\n"
    "  --db CONNINFO     database for --via sql; tickets are signed with RUMMYD_JWT_SECRET\n"
    "  --prepare F       only take seats and write them to F, for --via file later\n"
    "  --seats-file F    lines \"table seat ticket\" for --via file\n"
    "  --room R          room (default desert)      --node N     name of the server's node (default n1)\n"
    "  --tables N        tables (default 1)         --seats S    seats of each that we take (default 4)\n"
    "  --spares N        more tables to continue with when games end (default 0)\n"
    "  --games N         end when so many games are over (default 0: play the whole time)\n"
    "  --rate R          open: moves a second over all tables\n"
    "  --think-ms T      closed, storm, crash: pause after each move\n"
    "  --seconds T       measured time (default 10)  --warmup T  before it (default 2)\n"
    "  --server-pid P    also report the server's memory and processor time\n"
    "  --log F           write every command, ack, event and snapshot down\n"
    "  --origin O        Origin header to send\n"
    "  --json F          append the result as one JSON line\n"
    "Exit: 0 all as it should be, 1 it could not be run or the server was wrong, 2 usage.\n";

static _Noreturn void die_usage(const char *why, const char *value)
{
    fprintf(stderr, "tableload: %s%s%s\n%s", why, value ? ": " : "", value ? value : "", usage);
    exit(2);
}

static int number(const char *name, const char *text, int min, int max)
{
    int64_t value;
    if (!text_i64(text, min, max, &value)) {
        fprintf(stderr, "tableload: --%s must be a number from %d to %d\n", name, min, max);
        exit(2);
    }
    return (int)value;
}

/* Accepts only addresses of this machine, so that the load generator cannot be used as a weapon. */
static struct sockaddr_in loopback(const char *name, const char *text)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof(host))
        die_usage("an address is ADDR:PORT", text);
    memcpy(host, text, (size_t)(colon - text));
    host[colon - text] = '\0';
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &to.sin_addr) != 1)
        die_usage("not an IPv4 address", host);
    if ((ntohl(to.sin_addr.s_addr) >> 24) != 127)
        die_usage("only loopback addresses (127.x.x.x) are allowed", host);
    to.sin_port = htons((uint16_t)number(name, colon + 1, 1, 65535));
    return to;
}

static int word_index(const char *name, const char *text, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], text) == 0)
            return i;
    }
    die_usage(name, text);
}

static const char *const mode_words[] = {[LOAD_CLOSED] = "closed",
                                         [LOAD_OPEN] = "open",
                                         [LOAD_IDLE] = "idle",
                                         [LOAD_STORM] = "storm",
                                         [LOAD_CRASH] = "crash"};
static const char *const via_words[] = {[GRANTS_REST] = "rest", [GRANTS_SQL] = "sql", [GRANTS_FILE] = "file"};

static const struct option long_options[] = {{"mode", 1, NULL, 'm'},
                                             {"via", 1, NULL, 'v'},
                                             {"ws", 1, NULL, 'w'},
                                             {"http", 1, NULL, 'h'},
                                             {"db", 1, NULL, 'd'},
                                             {"seats-file", 1, NULL, 'f'},
                                             {"room", 1, NULL, 'r'},
                                             {"node", 1, NULL, 'n'},
                                             {"tables", 1, NULL, 't'},
                                             {"seats", 1, NULL, 's'},
                                             {"spares", 1, NULL, 'p'},
                                             {"rate", 1, NULL, 'R'},
                                             {"seconds", 1, NULL, 'T'},
                                             {"warmup", 1, NULL, 'W'},
                                             {"server-pid", 1, NULL, 'P'},
                                             {"log", 1, NULL, 'l'},
                                             {"origin", 1, NULL, 'o'},
                                             {"json", 1, NULL, 'j'},
                                             {"think-ms", 1, NULL, 'k'},
                                             {"prepare", 1, NULL, 'e'},
                                             {"games", 1, NULL, 'g'},
                                             {"help", 0, NULL, '?'},
                                             {0}};

static bool set_number(struct load_options *o, int option)
{
    switch (option) {
    case 't':
        return (o->tables = number("tables", optarg, 1, LOAD_SOCKETS_MAX)), true;
    case 's':
        return (o->seats = number("seats", optarg, 1, MODEL_SEATS_MAX)), true;
    case 'p':
        return (o->spares = number("spares", optarg, 0, GRANTS_MAX / MODEL_SEATS_MAX)), true;
    case 'g':
        return (o->games = number("games", optarg, 0, GRANTS_MAX / MODEL_SEATS_MAX)), true;
    case 'R':
        return (o->rate = number("rate", optarg, 1, LOAD_RATE_MAX)), true;
    case 'T':
        return (o->seconds = number("seconds", optarg, 1, LOAD_SECONDS_MAX)), true;
    case 'W':
        return (o->warmup_seconds = number("warmup", optarg, 0, LOAD_SECONDS_MAX)), true;
    case 'P':
        return (o->server_pid = number("server-pid", optarg, 1, 1 << 22)), true;
    case 'k':
        return (o->think_ms = number("think-ms", optarg, 0, 60000)), true;
    default:
        return false;
    }
}

static void parse(struct load_options *o, const char **json, int argc, char **argv)
{
    int option;
    *o = (struct load_options){.via = GRANTS_REST,
                               .room = "desert",
                               .node = "n1",
                               .tables = 1,
                               .seats = 4,
                               .seconds = 10,
                               .warmup_seconds = 2};
    o->ws = loopback("ws", "127.0.0.1:8081");
    o->http = loopback("http", "127.0.0.1:8080");
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (set_number(o, option))
            continue;
        switch (option) {
        case 'm':
            o->mode =
                (enum load_mode)word_index("no such mode", optarg, mode_words, (int)ARRAY_LEN(mode_words));
            break;
        case 'v':
            o->via = (enum grant_source)word_index("no such source of seats", optarg, via_words,
                                                   (int)ARRAY_LEN(via_words));
            break;
        case 'w':
            o->ws = loopback("ws", optarg);
            break;
        case 'h':
            o->http = loopback("http", optarg);
            break;
        case 'd':
            o->db = optarg;
            break;
        case 'f':
            o->seats_file = optarg;
            break;
        case 'r':
            o->room = optarg;
            break;
        case 'n':
            o->node = optarg;
            break;
        case 'l':
            o->log_file = optarg;
            break;
        case 'e':
            o->prepare_file = optarg;
            break;
        case 'o':
            o->origin = optarg;
            break;
        case 'j':
            *json = optarg;
            break;
        default:
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (optind < argc)
        die_usage("unexpected", argv[optind]);
    if (o->tables * o->seats > LOAD_SOCKETS_MAX)
        die_usage("more sockets than one process may have (19600)", NULL);
    if (o->mode == LOAD_OPEN && o->rate == 0)
        die_usage("--mode open needs --rate", NULL);
    if (o->via == GRANTS_SQL && !o->db)
        die_usage("--via sql needs --db", NULL);
    if (o->via == GRANTS_FILE && !o->seats_file)
        die_usage("--via file needs --seats-file", NULL);
}

static uint64_t flaws_all(void)
{
    uint64_t n = 0;
    for (int i = 0; i < FLAW_END; i++)
        n += flaw_counts[i];
    return n;
}

static void print_hist(FILE *out, const char *name, const struct hist *h)
{
    fprintf(out,
            ",\"%s_us\":{\"n\":%" PRIu64
            ",\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f}",
            name, h->n, (double)hist_at(h, 0.5) / 1e3, (double)hist_at(h, 0.9) / 1e3,
            (double)hist_at(h, 0.99) / 1e3, (double)hist_at(h, 0.999) / 1e3, (double)h->max / 1e3);
}

static void print_threads(FILE *out, const struct load_result *r)
{
    fprintf(out, ",\"server_threads_cpu_s\":{");
    for (int i = 0; i < r->after.threads_n; i++) {
        int64_t used = r->after.threads[i].cpu_ns;
        for (int k = 0; k < r->before.threads_n; k++) {
            if (r->before.threads[k].id == r->after.threads[i].id)
                used -= r->before.threads[k].cpu_ns;
        }
        fprintf(out, "%s\"%s-%d\":%.2f", i ? "," : "", r->after.threads[i].name, r->after.threads[i].id,
                (double)used / 1e9);
    }
    fputs("}", out);
}

static void print_json(FILE *out, const struct load *load)
{
    const struct load_options *o = &load->opt;
    const struct load_result *r = &load->result;
    int sockets = o->tables * o->seats;

    fprintf(out,
            "{\"mode\":\"%s\",\"tables\":%d,\"sockets\":%d,\"rate\":%d,\"seconds\":%.2f,\"moves\":%" PRIu64,
            mode_words[o->mode], o->tables, sockets, o->rate, r->seconds, r->moves);
    fprintf(out, ",\"moves_per_second\":%.0f", r->seconds > 0 ? (double)r->moves / r->seconds : 0.0);
    print_hist(out, "seen", &r->seen);
    print_hist(out, "acked", &r->acked);
    print_hist(out, "last", &r->last);
    print_hist(out, "connect", &r->connect);
    fprintf(out, ",\"connect_s\":%.3f,\"storm_s\":%.3f", r->connect_seconds, r->storm_seconds);
    fprintf(out,
            ",\"games\":%" PRIu64 ",\"stuck\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"reconnects\":%" PRIu64
            ",\"cut\":%" PRIu64,
            r->games, r->stuck, r->refused, r->reconnects, r->cut_by_server);
    fprintf(out,
            ",\"frames_in\":%" PRIu64 ",\"bytes_in\":%" PRIu64
            ",\"own_cpu_s\":%.2f,\"machine_cpu_s\":%.2f,\"stolen_cpu_s\":%.2f",
            r->traffic.frames_in, r->traffic.bytes_in, r->own_cpu_seconds, r->machine_cpu_seconds,
            r->stolen_cpu_seconds);
    if (o->server_pid) {
        fprintf(out,
                ",\"rss_kb_empty\":%" PRId64 ",\"rss_kb_connected\":%" PRId64 ",\"rss_kb_after\":%" PRId64,
                r->empty.rss_kb, r->connected.rss_kb, r->after.rss_kb);
        fprintf(out, ",\"kb_per_socket\":%.2f", (double)(r->connected.rss_kb - r->empty.rss_kb) / sockets);
        fprintf(out, ",\"connect_cpu_us\":%.1f",
                (double)(r->connected.cpu_ns - r->empty.cpu_ns) / 1e3 / sockets);
        fprintf(out, ",\"server_cpu_s\":%.2f", (double)(r->after.cpu_ns - r->before.cpu_ns) / 1e9);
        if (o->mode == LOAD_IDLE && o->via != GRANTS_FILE)
            fprintf(out, ",\"connect_again_cpu_us\":%.1f",
                    (double)(r->after.cpu_ns - r->before.cpu_ns) / 1e3 / sockets);
        print_threads(out, r);
    }
    fputs(",\"flaws\":{", out);
    for (int i = 0; i < FLAW_END; i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", flaw_name((enum flaw)i), flaw_counts[i]);
    fputs("}}\n", out);
}

static void on_signal(int signal_number)
{
    (void)signal_number;
    if (load_current)
        load_current->over = true;
}

int main(int argc, char **argv)
{
    static struct load load;
    const char *json = NULL;

    setvbuf(stdout, NULL, _IOLBF, 0);
    parse(&load.opt, &json, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    bool ok = load_run(&load);
    print_json(stdout, &load);
    FILE *out = json ? fopen(json, "ae") : NULL;
    if (out) {
        print_json(out, &load);
        fclose(out);
    }
    ok = ok && flaws_all() == 0 && load.result.stuck == 0;
    load_free(&load);
    return ok ? 0 : 1;
}
