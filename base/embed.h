/* Files that scripts/embed turns into arrays in the program. Constant data, any thread. A user declares the
 * table it needs: extern const struct embed_file NAME[]; extern const size_t NAME_n; */
#ifndef RUMMYD_BASE_EMBED_H
#define RUMMYD_BASE_EMBED_H

#include <stddef.h>

struct embed_file {
    const char *name; /* without folders */
    const char *data; /* followed by a NUL that is not counted */
    size_t len;
};

#endif
