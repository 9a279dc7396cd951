/* SPDX-License-Identifier: MIT */
/*
 * Any first stream, any rival, in any pieces: no byte out of bounds, nothing
 * passed on before all that was told was met, and the same verdict whatever
 * the pieces.
 */
#include "core/joint.h"

#include <stdio.h>
#include <stdlib.h>

static void *resize(void *ctx, void *old, size_t size)
{
    (void)ctx;
    return realloc(old, size);
}

static void release(void *ctx, void *old)
{
    (void)ctx;
    free(old);
}

static const struct uns_heap heap = {NULL, resize, release};

struct result {
    enum uns_joint_state state;
    uint64_t hash;
    bool ready, passed;
    bool error;     /* what of it went out depends on the pieces */
    unsigned early; /* frames that were passed on before it was beyond */
    struct uns_joint *joint;
};

static bool pass(void *ctx, struct uns_slice frame)
{
    struct result *result = ctx;

    for (size_t i = 0; i < frame.len; i++)
        result->hash = (result->hash ^ (unsigned char)frame.data[i]) *
                       UINT64_C(0x100000001b3);
    result->passed = true;
    result->early += result->joint->state != UNS_JOINT_BEYOND;
    return true;
}

struct input {
    enum uns_dialect dialect;
    enum uns_joint_how how;
    const char *told, *rival;
    size_t told_len, rival_len;
};

static struct result run(const struct input *in, size_t step)
{
    struct uns_told *told = malloc(sizeof *told);
    struct uns_joint *joint = malloc(sizeof *joint);
    struct result result = {.joint = joint};

    if (!told || !joint)
        abort();
    uns_told_init(told, in->dialect, &heap, 1 << 16);
    for (size_t at = 0; at < in->told_len; at += step)
        (void)uns_told_hear(told, in->told + at,
                            step < in->told_len - at ? step
                                                     : in->told_len - at);
    result.ready = uns_told_ready(told) == NULL;
    result.error = told->error;
    if (result.ready) {
        uns_joint_init(joint, told, in->how);
        uns_joint_to(joint, pass, &result);
        for (size_t at = 0; at < in->rival_len; at += step)
            uns_joint_feed(joint, in->rival + at,
                           step < in->rival_len - at ? step
                                                     : in->rival_len - at);
        result.state = uns_joint_end(joint);
        uns_joint_done(joint);
    }
    uns_told_done(told);
    free(told);
    free(joint);
    return result;
}

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* dialect and how, a piece's length, where the rival begins; the two. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in;
    struct result whole, pieces;
    size_t step;

    if (size < 4)
        return 0;
    in.dialect = (enum uns_dialect)(1 + data[0] % 6);
    in.how = data[0] & 0x80 ? UNS_JOINT_PREFILL : UNS_JOINT_VERIFY;
    step = 1 + data[1] % 64u;
    in.told = (const char *)data + 4;
    in.told_len = (size_t)(data[2] << 8 | data[3]) % (size - 3);
    in.rival = in.told + in.told_len;
    in.rival_len = size - 4 - in.told_len;
    whole = run(&in, size);
    pieces = run(&in, step);
    must(whole.early == 0 && pieces.early == 0, "passed on too early");
    if (whole.error || pieces.error)
        return 0;
    must(whole.ready == pieces.ready, "ready, by its pieces");
    must(whole.state == pieces.state, "another verdict, by its pieces");
    must(whole.hash == pieces.hash, "other bytes, by their pieces");
    must(whole.state != UNS_JOINT_DIVERGED || !whole.passed,
         "passed on, and then another answer");
    return 0;
}
