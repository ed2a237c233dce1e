/* The contracts and the page that renders them, all embedded in the program. REST loops. */
#include "api/core/operations.h"
#include "base/bug.h"

#include <string.h>

/* Sends an embedded document. */
static enum api_next document(struct api_request *request, const char *name, const char *content_type)
{
    for (size_t i = 0; i < request->env->documents_n; i++) {
        const struct embed_file *file = &request->env->documents[i];
        if (strcmp(file->name, name) != 0)
            continue;
        request->status = 200;
        request->content_type = content_type;
        request->sent = file->data; /* not copied, because one document is too large for the reply buffer */
        request->sent_len = file->len;
        return api_reply_tagged(request);
    }
    return api_refuse(request, API_NOT_FOUND);
}

static enum api_next openapi(struct api_request *request)
{
    return document(request, "openapi.yaml", "application/yaml");
}

static enum api_next asyncapi(struct api_request *request)
{
    return document(request, "asyncapi.yaml", "application/yaml");
}

static enum api_next docs(struct api_request *request)
{
    return document(request, "docs.html", "text/html; charset=utf-8");
}

static enum api_next docs_script(struct api_request *request)
{
    return document(request, "docs.js", "text/javascript; charset=utf-8");
}

static enum api_next docs_style(struct api_request *request)
{
    return document(request, "docs.css", "text/css; charset=utf-8");
}

API_OPERATION(openapi) = {.begin = openapi};
API_OPERATION(asyncapi) = {.begin = asyncapi};
API_OPERATION(docs) = {.begin = docs};
API_OPERATION(docsScript) = {.begin = docs_script};
API_OPERATION(docsStyle) = {.begin = docs_style};
