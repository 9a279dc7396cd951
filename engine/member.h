/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_MEMBER_H
#define UNS_ENGINE_MEMBER_H

/*
 * member - the handles that the application has put into its multi and not
 * taken out: until it does, a handle is in, although libcurl may be rid of it
 * since a rival won.  app->inside is kept true meanwhile.
 */

#include "shim/abi.h"

/* One handle's place in a list of them; all zeros: in none. */
struct uns_member {
    struct uns_app *app;
    struct uns_member *next;
    struct uns_member **link; /* what points here */
};

/* The application has added it; it may be in already. */
void uns_member_join(struct uns_member **list, struct uns_member *member,
                     struct uns_app *app);

/* It was taken out, or is no more.  Takes one that is in no list. */
void uns_member_leave(struct uns_member *member);

/* The multi is no more. */
void uns_member_leave_all(struct uns_member **list);

#endif
