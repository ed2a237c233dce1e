/* See failure.h. */
#include "server/operations/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"

const char *srv_shown(char *out, size_t size, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    size_t n = 0, left = strlen(text);
    ASSERT(size >= 1);
    while (left > 0) {
        unsigned char c = (unsigned char)*text;
        size_t len = text_utf8_char(text, left);
        bool plain = len > 0 && c >= ' ' && c != 127;
        char escape[] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
        size_t put = plain ? len : sizeof escape;
        if (n + put >= size)
            break;
        memcpy(out + n, plain ? text : escape, put);
        n += put;
        text += plain ? len : 1;
        left -= plain ? len : 1;
    }
    out[n] = '\0';
    return out;
}

int srv_fail(int code, const char *fmt, ...)
{
    char sentence[SRV_SENTENCE_MAX], shown[SRV_SENTENCE_MAX];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    (void)fprintf(stderr, "rummyd: %s\n", srv_shown(shown, sizeof shown, sentence));
    return code;
}
