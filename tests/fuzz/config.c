/* A configuration file of any bytes, then the same bytes as environment variables and as flags. They are
 * accepted, or rejected with a printable sentence. */
#include "server/config.h"
#include "base/bug.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS_MAX = 8, TEXT_MAX = 4096 };

static void read_all(char *const *env, int n, char *const *args)
{
    static struct srv_config config;
    static char error[SRV_ERROR_MAX];
    const char *words[2];
    size_t words_n = 0;
    enum srv_config_result result = srv_config_read(&config, n, args, env, words, 2, &words_n, error);
    ASSERT(words_n <= 2 && strlen(error) < sizeof(error));
    ASSERT((result == SRV_CONFIG_OK) == (error[0] == '\0'));
    if (result != SRV_CONFIG_OK)
        return;
    ASSERT(config.http_port >= 0 && config.http_port <= 65535 && config.rest_loops > 0);
    ASSERT(strlen(config.db) < sizeof(config.db) && strlen(config.ws_url) < sizeof(config.ws_url));
    uint8_t seed[32];
    ASSERT(config.dev || !srv_config_dev_seed(&config, seed));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    char path[64], text[TEXT_MAX + 1];
    const size_t n = size < TEXT_MAX ? size : TEXT_MAX;
    if (file < 0)
        file = memfd_create("config", MFD_CLOEXEC);
    ASSERT(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, n, 0) == (ssize_t)n);
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    char *none[] = {NULL}, *config_flag[] = {"--config", path, NULL};
    read_all(none, 2, config_flag);

    memcpy(text, data, n);
    text[n] = '\0';
    char *words[WORDS_MAX + 1] = {NULL}, *state = NULL;
    int words_n = 0;
    for (char *word = strtok_r(text, "\n", &state); word && words_n < WORDS_MAX;
         word = strtok_r(NULL, "\n", &state))
        if (strncmp(word, "--config", 8) != 0 && strncmp(word, "RUMMYD_CONFIG=", 14) != 0)
            words[words_n++] = word;
    read_all(words, 0, none);
    read_all(none, words_n, words);
    return 0;
}
