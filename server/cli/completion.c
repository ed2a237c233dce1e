/* `rummyd completion`: completion for bash and zsh, from the list of commands and the table of keys. Main
 * thread. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/cli/cmd.h"
#include "server/config.h"

/* A word that is typed as written: a flag, or the first word of a form in lowercase. */
static bool is_literal(const char *word, size_t len, bool first)
{
    if (len > 2 && strncmp(word, "--", 2) == 0)
        return true;
    for (size_t i = 0; i < len; i++)
        if (!islower((unsigned char)word[i]) && word[i] != '-' && word[i] != '.')
            return false;
    return first && len > 0;
}

/* The literal words of a usage, each after a space. */
static void put_words(const char *usage)
{
    bool first = true; /* in its form */
    while (*usage) {
        size_t len = strcspn(usage, " |[]\n");
        if (is_literal(usage, len, first))
            (void)printf(" %.*s", (int)len, usage);
        usage += len;
        if (*usage == '\n')
            first = true;
        else if (*usage == ' ')
            first = false;
        usage += *usage != '\0';
    }
}

/* What can follow the command. */
static void put_choices(const struct srv_command *command)
{
    put_words(command->usage);
    if (!command->configured)
        return;
    (void)printf(" --config=");
    const char *name;
    for (size_t i = 0; (name = srv_config_key_name(i)) != NULL; i++)
        (void)printf(" --%s=", name);
}

static void print_bash(const struct srv_command *commands, size_t n)
{
    (void)printf("# bash completion of rummyd, printed by `rummyd completion bash`\n"
                 "_rummyd() {\n"
                 "  local word=${COMP_WORDS[COMP_CWORD]} choices=\n"
                 "  COMPREPLY=()\n"
                 "  if ((COMP_CWORD == 1)); then\n"
                 "    choices='");
    for (size_t i = 0; i < n; i++)
        (void)printf("%s%s", i ? " " : "", commands[i].name);
    (void)printf("'\n  else\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < n; i++) {
        (void)printf("      %s) choices='", commands[i].name);
        put_choices(&commands[i]);
        (void)printf("' ;;\n");
    }
    (void)printf("    esac\n  fi\n"
                 "  mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\")\n"
                 "  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
                 "}\n"
                 "complete -o default -F _rummyd rummyd\n");
}

static void print_zsh(const struct srv_command *commands, size_t n)
{
    (void)printf("#compdef rummyd\n"
                 "# zsh completion of rummyd, printed by `rummyd completion zsh`\n"
                 "local -a choices\n"
                 "if ((CURRENT == 2)); then\n"
                 "  choices=(\n");
    for (size_t i = 0; i < n; i++)
        (void)printf("    '%s:%s'\n", commands[i].name, commands[i].meaning);
    (void)printf("  )\n  _describe command choices\n  return\nfi\ncase $words[2] in\n");
    for (size_t i = 0; i < n; i++) {
        (void)printf("  %s) choices=(", commands[i].name);
        put_choices(&commands[i]);
        (void)printf(") ;;\n");
    }
    (void)printf("esac\ncompadd -S '' -- $choices || _files\n");
}

int srv_print_completion(const struct srv_command *commands, size_t n, int args_n, char *const *args)
{
    if (args_n == 1 && strcmp(args[0], "bash") == 0)
        print_bash(commands, n);
    else if (args_n == 1 && strcmp(args[0], "zsh") == 0)
        print_zsh(commands, n);
    else
        return srv_fail(SRV_EXIT_USAGE, "usage: rummyd completion bash|zsh");
    return SRV_EXIT_OK;
}
