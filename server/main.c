/* Entry point of rummyd: picks the subcommand. */
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/config.h"
#include "server/version.h"

static int cmd_help(int args_n, char *const *args);
static int cmd_version(int args_n, char *const *args);
static int cmd_manual(int args_n, char *const *args);
static int cmd_completion(int args_n, char *const *args);

static const struct srv_command commands[] = {
    {"serve", srv_cmd_serve, "run the server: REST, live tables, and the page", "[FLAGS]", true},
    {"check-config", srv_cmd_check_config,
     "check the configuration of `serve` and the files it names, and start nothing", "[FLAGS]", true},
    {"setup", srv_cmd_setup, "prepare an installed program: database, secrets, configuration, first API key",
     "[--address URL] [--database local|CONNINFO] [--admin NAME]\n"
     "[--root FOLDER] [--no-start]",
     false},
    {"migrate", srv_cmd_migrate, "create the database schema, or update it to this version",
     "[--plan] [FLAGS]", true},
    {"api-key", srv_cmd_api_key, "create and revoke API keys for jobs and operators",
     "make NAME jobs|support|money|games|owner HOLDER [DAYS|never] [FLAGS]\n"
     "revoke NAME [FLAGS]",
     true},
    {"ledger-check", srv_cmd_ledger_check,
     "check the ledger, and that nothing before a published head was rewritten", "[--since HEAD]... [FLAGS]",
     true},
    {"ledger-head", srv_cmd_ledger_head, "seal the ledger chain and print its head for publication",
     "[FLAGS]", true},
    {"ratings-check", srv_cmd_ratings_check,
     "recompute ratings, leaderboards, and levels from the games, and compare", "[FLAGS]", true},
    {"verify", srv_cmd_verify, "verify records of hands and whole sessions", "FILE...", false},
    {"replay", srv_cmd_replay, "step through records in a terminal",
     "[--view open|public|SEAT] [--hand N] [--turn N] [--width N]\n"
     "[--ascii|--utf8] [--copies] [--print] [--tables] FILE...",
     false},
    {"vectors", srv_cmd_vectors, "run rule vectors", "FILE...", false},
    {"simulate", srv_cmd_simulate, "play games between bots and print statistics",
     "[--variant NAME|all] [--option NAME=VALUE]... [--games N]\n"
     "[--seats easy,master...] [--deals mirrored] [--ladder GAMES] [--seed N]\n"
     "[--record FILE]",
     false},
    {"puzzles", srv_cmd_puzzles, "find, check, and share puzzles from finished games",
     "mine [--games N] [--limit N] [--seconds N] [FLAGS]\n"
     "check [--limit N] [--seconds N] [FLAGS]\n"
     "export [FLAGS]\n"
     "import FILE [FLAGS]\n"
     "starter VARIANT [--per-variant N] [--seed N]",
     true},
    {"throw-rates", srv_cmd_throw_rates, "count how often bots take a discard, as SQL rows", "[GAMES]",
     false},
    {"routes", srv_cmd_routes, "list the REST endpoints as JSON", "", false},
    {"metrics", srv_cmd_metrics, "list the metrics of /metrics as a Markdown page", "", false},
    {"variants", srv_cmd_variants, "list all variants and their options as JSON", "", false},
    {"manual", cmd_manual, "print a manual page, for `make install`", "rummyd|rummyd.conf", false},
    {"completion", cmd_completion, "print the completion of a shell", "bash|zsh", false},
    {"help", cmd_help, "show this list, or the usage of one command", "[COMMAND]", false},
    {"version", cmd_version, "show the version", "", false},
};

static const struct {
    const char *first_command, *heading;
} groups[] = {{"serve", "server and database"}, {"verify", "games and bots"}, {"routes", "reference"}};

static const struct srv_command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    return srv_fail(SRV_EXIT_USAGE, "unknown command \"%.60s\"; `rummyd help` lists all commands", name);
}

/* A full disk behind stdout is also a failure. */
static int written(void)
{
    return fflush(stdout) == 0 ? SRV_EXIT_OK : srv_fail(SRV_EXIT_FAILED, "cannot write to standard output");
}

static void print_usage(const struct srv_command *command)
{
    (void)printf("usage: rummyd %s", command->name);
    for (const char *line = command->usage, *next; *line; line = next) {
        size_t len = strcspn(line, "\n");
        if (line != command->usage && line[0] == '[')
            (void)printf("\n%*s", (int)(strlen("usage: rummyd ") + strlen(command->name)), "");
        else if (line != command->usage)
            (void)printf("\n       rummyd %s", command->name);
        (void)printf(" %.*s", (int)len, line);
        next = line + len + (line[len] == '\n');
    }
    (void)printf("\n");
}

static int help_on(const struct srv_command *command)
{
    (void)printf("rummyd %s: %s\n\n", command->name, command->meaning);
    print_usage(command);
    if (command->configured)
        srv_config_help();
    return written();
}

static int cmd_help(int args_n, char *const *args)
{
    if (args_n > 1)
        return srv_fail(SRV_EXIT_USAGE, "help takes at most one command");
    if (args_n == 1) {
        const struct srv_command *command = find_command(args[0]);
        return command ? help_on(command) : no_command(args[0]);
    }
    (void)printf("rummyd: online rummy\n\nusage: rummyd COMMAND [FLAGS]\n       rummyd COMMAND --help\n");
    for (size_t i = 0, group = 0; i < ARRAY_LEN(commands); i++) {
        if (group < ARRAY_LEN(groups) && strcmp(groups[group].first_command, commands[i].name) == 0)
            (void)printf("\n%s:\n", groups[group++].heading);
        (void)printf("  %-16s %s\n", commands[i].name, commands[i].meaning);
    }
    srv_config_help();
    return written();
}

static int cmd_version(int args_n, char *const *args)
{
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "version takes no arguments");
    (void)printf("rummyd %s\n", srv_version);
    return written();
}

static int cmd_manual(int args_n, char *const *args)
{
    int code = srv_print_manual(commands, ARRAY_LEN(commands), args_n, args);
    return code == SRV_EXIT_OK ? written() : code;
}

static int cmd_completion(int args_n, char *const *args)
{
    int code = srv_print_completion(commands, ARRAY_LEN(commands), args_n, args);
    return code == SRV_EXIT_OK ? written() : code;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return srv_fail(SRV_EXIT_FAILED, "cannot initialize libsodium");
    if (argc < 2)
        return srv_fail(SRV_EXIT_USAGE, "missing command; `rummyd help` lists all commands");
    if (is_help(argv[1]))
        return cmd_help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return cmd_version(argc - 2, argv + 2);
    const struct srv_command *command = find_command(argv[1]);
    if (!command)
        return no_command(argv[1]);
    for (int i = 2; i < argc; i++)
        if (is_help(argv[i]))
            return help_on(command);
    return command->run(argc - 2, argv + 2);
}
