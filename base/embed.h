/* Files that scripts/embed turns into arrays in the program. Constant data, any thread. Code that needs a
 * table declares it: extern const struct embed_file NAME[]; extern const size_t NAME_n; */
#ifndef RUMMYD_BASE_EMBED_H
#define RUMMYD_BASE_EMBED_H

#include <stddef.h>

struct embed_file {
    const char *name; /* without folders */
    const char *data; /* followed by a NUL that the length does not include */
    size_t len;
};

#endif
