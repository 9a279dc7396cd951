/* SPDX-License-Identifier: MIT */
#include "member.h"

void uns_member_join(struct uns_member **list, struct uns_member *member,
                     struct uns_app *app)
{
    uns_member_leave(member);
    *member = (struct uns_member){app, *list, list};
    if (*list)
        (*list)->link = &member->next;
    *list = member;
    app->inside = true;
}

void uns_member_leave(struct uns_member *member)
{
    if (!member->app)
        return;
    *member->link = member->next;
    if (member->next)
        member->next->link = member->link;
    member->app->inside = false;
    *member = (struct uns_member){0};
}

void uns_member_leave_all(struct uns_member **list)
{
    while (*list)
        uns_member_leave(*list);
}
