/* SPDX-License-Identifier: MIT */
/*
 * arm - FNV-1a over name and unit with a byte between them that neither has,
 * and the finalizer of splitmix64 (Steele, Lea and Flood, 2014): FNV alone
 * leaves the high bits of short texts that differ in their last letter alike,
 * and those bits are the share.
 */
#include "arm.h"

#include <string.h>

/* A double has so many bits. */
#define BITS 53

static uint64_t feed(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t finish(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

/* 0 <= x < 1 */
static double place_of(const char *name, struct uns_slice unit)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    hash = feed(hash, name, strlen(name) + 1);
    hash = finish(feed(hash, unit.data, unit.len));
    return (double)(hash >> (64 - BITS)) / (double)(UINT64_C(1) << BITS);
}

enum uns_arm uns_arm_of(const struct uns_experiment *experiment,
                        struct uns_slice unit)
{
    return place_of(experiment->name, unit) < experiment->treatment
               ? UNS_ARM_TREATMENT
               : UNS_ARM_CONTROL;
}

const char *uns_arm_name(enum uns_arm arm)
{
    static const char *const names[UNS_ARM_COUNT] = {
        [UNS_ARM_NONE] = "",
        [UNS_ARM_CONTROL] = "control",
        [UNS_ARM_TREATMENT] = "treatment",
    };

    return (unsigned)arm < UNS_ARM_COUNT ? names[arm] : "?";
}
