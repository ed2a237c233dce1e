/* Brotli and gzip compression of whole responses; see compress.h. */
#include "server/http/compress.h"

#include <brotli/encode.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/bug.h"

enum {
    BROTLI_LEVEL = 1,
    GZIP_LEVEL = 1,
    GZIP_WINDOW = 15 + 16, /* + 16: with gzip's header and trailer instead of zlib's */
    GZIP_MEMORY = 8,
};

static void *brotli(const void *bytes, size_t n, size_t *out_n)
{
    *out_n = BrotliEncoderMaxCompressedSize(n);
    uint8_t *out = malloc(*out_n);
    if (out &&
        BrotliEncoderCompress(BROTLI_LEVEL, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, n, bytes, out_n, out))
        return out;
    free(out);
    return NULL;
}

static void *gzip(const void *bytes, size_t n, size_t *out_n)
{
    z_stream z = {0};
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t most = deflateBound(&z, n);
    uint8_t *out = malloc(most);
    z.next_in = (z_const Bytef *)(uintptr_t)bytes; /* zlib does not write to its input */
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)most;
    bool done = out && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *out_n = z.total_out;
    (void)deflateEnd(&z);
    if (done)
        return out;
    free(out);
    return NULL;
}

void *srv_http_compress(enum api_coding coding, const void *bytes, size_t n, size_t *out_n)
{
    ASSERT(coding != API_IDENTITY && n > 0 && n <= API_CODED_MAX);
    void *out = coding == API_BR ? brotli(bytes, n, out_n) : gzip(bytes, n, out_n);
    ASSERT(!out || *out_n > 0);
    return out;
}
