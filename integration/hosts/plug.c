/* SPDX-License-Identifier: MIT */

/* plug - a library that its program finds by $ORIGIN. */

int plugged(void);

int plugged(void)
{
    return 1;
}
