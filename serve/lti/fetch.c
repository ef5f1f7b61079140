/* fetch.c - one request by libcurl; see fetch.h. */
#include "serve/lti/fetch.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static size_t take(char *bytes, size_t size, size_t count, void *closure) {
    Text *body = closure;
    if (body->length + size * count > FETCH_LARGEST) return 0;
    text_append(body, bytes, size * count);
    if (body->failed) return 0;
    return size * count;
}

/* `Link: <https://...>; rel="next"`, among links of other kinds. */
static size_t take_header(char *bytes, size_t size, size_t count, void *closure) {
    Text *next = closure, line;
    const size_t length = size * count;
    text_init(&line);
    text_append(&line, bytes, length);
    const char *at = NULL;
    if (strncasecmp(line.bytes, "link:", 5) == 0) at = strchr(line.bytes, '<');
    while (at != NULL) {
        const char *end = strchr(at, '>'), *after = end != NULL ? strchr(end, '<') : NULL;
        const char *kind = NULL;
        if (end != NULL) kind = strstr(end, "rel=\"next\"");
        if (kind != NULL && (after == NULL || kind < after)) {
            text_clear(next);
            text_append(next, at + 1, (size_t)(end - at - 1));
        }
        at = after;
    }
    text_free(&line);
    return length;
}

static struct curl_slist *add_header(struct curl_slist *headers, const char *name, const char *value) {
    Text line = text_new();
    if (value == NULL) return headers;
    text_format(&line, "%s%s", name, value);
    struct curl_slist *longer = curl_slist_append(headers, line.bytes);
    text_free(&line);
    if (longer != NULL) return longer;
    return headers;
}

static void prepare(CURL *curl, const FetchOrder *order, Fetched *fetched, struct curl_slist *headers) {
    curl_easy_setopt(curl, CURLOPT_URL, order->url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)FETCH_CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)FETCH_SECONDS);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, fetched->why);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &fetched->body);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &fetched->next);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "warpschool");
    if (order->authority != NULL) {
        struct curl_blob blob = {.data = (void *)(uintptr_t)order->authority,
                                 .len = strlen(order->authority),
                                 .flags = CURL_BLOB_COPY};
        curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob);
    }
    if (order->body == NULL) return;
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(order->body));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, order->body);
}

bool fetch(Fetched *fetched, const FetchOrder *order) {
    *fetched = (Fetched){0};
    text_init(&fetched->body);
    text_init(&fetched->next);
    CURL *curl = curl_easy_init();
    if (curl == NULL) return false;
    struct curl_slist *headers = add_header(NULL, "Accept: ", order->accept);
    headers = add_header(headers, "Authorization: Bearer ", order->token);
    headers = add_header(headers, "Content-Type: ", order->type);
    prepare(curl, order, fetched, headers);
    const CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &fetched->status);
    if (code != CURLE_OK && fetched->why[0] == '\0')
        snprintf(fetched->why, sizeof fetched->why, "%s", curl_easy_strerror(code));
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return fetched->status >= 200 && fetched->status < 300;
}

void fetch_free(Fetched *fetched) {
    text_free(&fetched->body);
    text_free(&fetched->next);
}
