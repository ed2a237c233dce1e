/* A fuzzer for tests/fuzz without libFuzzer: it runs the given files, and a number of inputs that a
 * deterministic generator makes from these files and from scratch. `scripts/test unit` runs it in a second
 * or two, with any compiler.
 *
 * corpus-NAME INPUTS [FILE]... exits with 0; a violated invariant ends it with an assertion. */
#include "base/bug.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_IN = 16 * 1024, SEEDS_MAX = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

static struct {
    uint8_t *bytes;
    size_t size;
} seeds[SEEDS_MAX];
static size_t seeds_n;
static uint64_t state = 0x9E3779B97F4A7C15;

/* xorshift64* */
static uint64_t dice(uint64_t sides)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DU % sides;
}

/* Copied, so that AddressSanitizer detects a read past its end. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    ASSERT(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    ASSERT(file && seeds_n < SEEDS_MAX);
    uint8_t *bytes = malloc(SIZE_MAX_IN);
    ASSERT(bytes);
    seeds[seeds_n].size = fread(bytes, 1, SIZE_MAX_IN, file);
    seeds[seeds_n++].bytes = bytes;
    (void)fclose(file);
}

/* Changes, removes, or duplicates some bytes, or inserts some from another seed. */
static size_t change(uint8_t *bytes, size_t size)
{
    static const char *const words[] = {"\r\n", "\n", "\r", ": ", " ", "\t", "0",  "-1",
                                        "\"",   "{",  "}",  "\\", ",", "=",  "%00"};
    for (uint64_t n = 1 + dice(4); n > 0; n--) {
        size_t at = size > 0 ? (size_t)dice(size) : 0, len = size > at ? 1 + (size_t)dice(size - at) : 0;
        const char *word = words[dice(ARRAY_LEN(words))];
        switch (dice(4)) {
        case 0:
            if (size > 0)
                bytes[at] = (uint8_t)dice(256);
            break;
        case 1: /* removed */
            len = len > 16 ? 16 : len;
            memmove(bytes + at, bytes + at + len, size - at - len);
            size -= len;
            break;
        case 2: /* doubled */
            len = len > 64 ? 64 : len;
            if (size + len <= SIZE_MAX_IN) {
                memmove(bytes + at + len, bytes + at, size - at);
                size += len;
            }
            break;
        default:
            len = strlen(word);
            if (size + len <= SIZE_MAX_IN) {
                memmove(bytes + at + len, bytes + at, size - at);
                memcpy(bytes + at, word, len);
                size += len;
            }
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[SIZE_MAX_IN];
    long inputs = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    if (LLVMFuzzerInitialize)
        (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 2; i < argc; i++)
        load(argv[i]);
    for (size_t i = 0; i < seeds_n; i++)
        run(seeds[i].bytes, seeds[i].size);
    for (long i = 0; i < inputs; i++) {
        size_t size = (size_t)dice(64);
        if (seeds_n > 0 && dice(8) > 0) {
            size_t seed = (size_t)dice(seeds_n);
            size = seeds[seed].size;
            memcpy(bytes, seeds[seed].bytes, size);
        } else {
            for (size_t b = 0; b < size; b++)
                bytes[b] = (uint8_t)dice(256);
        }
        run(bytes, change(bytes, size));
    }
    for (size_t i = 0; i < seeds_n; i++)
        free(seeds[i].bytes);
    (void)printf("%zu seeds, %ld inputs made\n", seeds_n, inputs);
    return 0;
}
