/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FACTS_H
#define UNS_ENGINE_FACTS_H

/*
 * facts - what is known of a call before its end: for its record, and for the
 * flight recorder in case that it has none.  Nothing secret is in them: no
 * query, no userinfo, no header, no body (P3).
 */

#include "call.h"

/* Its name (calls.uuid). */
#define UNS_FACTS_NAME_BYTES sizeof((struct uns_call_record *)0)->uuid
void uns_facts_name(const struct uns_call *call,
                    char ret_name[UNS_FACTS_NAME_BYTES]);

/* Who asks whom for what, and why others were asked. */
void uns_facts_call(const struct uns_call *call,
                    struct uns_call_record *record);

/* Where an attempt went, when and why, and how long it took to connect if that
 * is known to be over. */
void uns_facts_attempt(const struct uns_attempt *attempt,
                       struct uns_attempt_record *record);

/* The phases of its connection, as spans; one that did not take place leaves
 * its number as it is. */
void uns_facts_phases(const struct uns_attempt *attempt, int64_t *ret_dns_ms,
                      int64_t *ret_connect_ms, int64_t *ret_tls_ms);

#endif
