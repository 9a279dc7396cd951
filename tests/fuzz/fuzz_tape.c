/* SPDX-License-Identifier: MIT */
/* A capture from anybody: every piece lies in the file, and times never run
 * back. */
#include "cli/tape_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct uns_tape_text *tape, struct uns_slice text)
{
    uns_ns before = 0;

    for (size_t i = 0; i < tape->pieces; i++) {
        const struct uns_slice *bytes = &tape->piece[i].bytes;

        if (bytes->data < text.data ||
            bytes->data + bytes->len >= text.data + text.len ||
            tape->piece[i].at_ns < before)
            abort();
        before = tape->piece[i].at_ns;
    }
    if (tape->end_ns < before)
        abort();
}

/* Most inputs would fail at the first line: half of them get a good one. */
static struct uns_slice with_header(const uint8_t *data, size_t size)
{
    static const char header[] = "{\"unstall_capture\":1,\"status\":200}\n";
    size_t before = size && data[0] & 1 ? sizeof header - 1 : 0;
    char *text = malloc(before + size + 1);

    if (text == NULL)
        return (struct uns_slice){NULL, 0};
    memcpy(text, header, before);
    if (size)
        memcpy(text + before, data + (before > 0), size - (before > 0));
    return (struct uns_slice){text, before + size - (before > 0)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uns_slice text = with_header(data, size);
    struct uns_tape_text tape;

    if (text.data != NULL && uns_tape_read(text, &tape) == NULL) {
        check(&tape, text);
        uns_tape_read_done(&tape);
    }
    free((void *)(uintptr_t)text.data);
    return 0;
}
