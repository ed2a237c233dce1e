/* The contracts and the page that renders them, all embedded in the program. REST loops. */
#include "api/resources.h"
#include "base/bug.h"

#include <string.h>

/* An embedded document. */
static enum api_next document(struct api_request *request, const char *name, const char *content_type)
{
    for (size_t i = 0; i < request->env->documents_n; i++) {
        const struct embed_file *file = &request->env->documents[i];
        if (strcmp(file->name, name) != 0)
            continue;
        request->status = 200;
        request->content_type = content_type;
        request->sent = file->data; /* one of them is too large for the reply buffer */
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

#define GET(where, name, function)                                                                           \
    INIT(.method = "GET", .path = (where), .id = (name), .rate = API_RATE_READ, .begin = (function))

const struct api_route api_documents_routes[] = {
    GET("/openapi.yaml", "openapi", openapi),
    GET("/asyncapi.yaml", "asyncapi", asyncapi),
    GET("/docs", "docs", docs),
    GET("/docs.js", "docsScript", docs_script),
    GET("/docs.css", "docsStyle", docs_style),
};
const size_t api_documents_routes_n = ARRAY_LEN(api_documents_routes);
