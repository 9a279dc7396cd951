/* SPDX-License-Identifier: MIT */

/*
 * hook - decides about dlsym and dlopen.  Every program's calls come here, in
 * constructors, inside malloc, in signal handlers, before strcmp works: what
 * is not about libcurl leaves after a look at the arguments, with nothing
 * allocated, locked or called.
 */

#include "hook.h"

#include "dl.h"
#include "needs.h"
#include "objects.h"
#include "real.h"
#include "settings.h"
#include "slot.h"

#include <errno.h>
#include <string.h>

/* `name` is found in the scope of the main program, where we come first, or
 * of the caller's module, without us. */
static bool is_in_scope(const char *name, const void *caller)
{
    void *found = uns_dl_sym()(RTLD_NEXT, name);
    void *module = found ? NULL : uns_object_open(caller);

    if (!module)
        return found;
    found = uns_dl_sym()(module, name);
    (void)dlclose(module);
    return found && !uns_object_is_ours(found);
}

/* The last call of the loader's that fails is what dlerror() tells. */
static const void *not_found(const char *name)
{
    const void *nothing = uns_dl_sym()(RTLD_NEXT, name);

    return nothing;
}

/* Our stub for `found`, which a search without us gave. */
static void *stub_of(const void *found, const char *name)
{
    const struct uns_real *real = uns_real_at(found);
    void *stub = real ? uns_slot_stub(real, name) : NULL;

    (void)dlerror();
    return stub;
}

static struct uns_hook_step answer(const void *value)
{
    return (struct uns_hook_step){NULL, (uintptr_t)value};
}

/* `real` is the step to the real dlsym. */
static struct uns_hook_step look_up_in_scope(struct uns_hook_step real,
                                             const char *name,
                                             const void *caller)
{
    return is_in_scope(name, caller) ? real : answer(not_found(name));
}

static struct uns_hook_step look_up(struct uns_hook_step real, void *handle,
                                    const char *name)
{
    const void *found = uns_dl_sym()(handle, name);
    const void *stub = NULL;

    /* The main program's handle: we come first in its scope. */
    if (found && uns_object_is_ours(found)) {
        found = uns_dl_sym()(RTLD_NEXT, name);
        if (!found)
            return answer(not_found(name));
    }
    if (found && !uns_settings()->off)
        stub = stub_of(found, name);
    return stub ? answer(stub) : real;
}

struct uns_hook_step uns_hook_dlsym(void *handle, const char *name,
                                    const void *caller)
{
    struct uns_hook_step step = {(void *)(uintptr_t)uns_dl_sym(),
                                 (uintptr_t)name};
    int saved_errno;

    if (!step.go_on)
        return answer(NULL);
    if (!name || !uns_slot_serves(name) || !uns_dl_works())
        return step;
    saved_errno = errno;
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT)
        step = look_up_in_scope(step, name, caller);
    else
        step = look_up(step, handle, name);
    errno = saved_errno;
    return step;
}

static bool hides_from_us(const char *file, uintptr_t mode)
{
#ifdef RTLD_DEEPBIND
    return (mode & RTLD_DEEPBIND) && file && strchr(file, '/') &&
           !uns_settings()->off && !uns_settings()->keep_deepbind &&
           uns_needs_libcurl(file);
#else
    (void)file;
    (void)mode;
    return false;
#endif
}

struct uns_hook_step uns_hook_dlopen(const char *file, uintptr_t mode)
{
    struct uns_hook_step step = {(void *)(uintptr_t)uns_dl_open(), mode};

    if (!step.go_on)
        return answer(NULL);
    if (hides_from_us(file, mode))
        step.value = mode & ~(uintptr_t)RTLD_DEEPBIND;
    return step;
}
