/* SPDX-License-Identifier: MIT */
/* image - maps files, and knows libcurl by name and by what it says. */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIBRARY "libcurl"

const char *uns_image_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A pipe or a device would be waited for, or answer. */
static bool map(int fd, struct uns_image *image)
{
    void *data = NULL;

    if (fstat(fd, &image->st) != 0)
        return false;
    if (!S_ISREG(image->st.st_mode)) {
        errno = S_ISDIR(image->st.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    if (image->st.st_size == 0)
        return true;
    data = mmap(NULL, (size_t)image->st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return false;
    image->file = (struct uns_slice){data, (size_t)image->st.st_size};
    return true;
}

enum uns_err uns_image_open(const char *path, struct uns_image *ret_image)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool mapped;
    int saved_errno;

    *ret_image = (struct uns_image){0};
    if (fd < 0)
        return UNS_IO;
    mapped = map(fd, ret_image);
    saved_errno = errno;
    close(fd);
    errno = saved_errno;
    if (!mapped)
        return UNS_IO;
    return uns_elf_open(&ret_image->elf, ret_image->file.data,
                        ret_image->file.len);
}

void uns_image_close(struct uns_image *image)
{
    if (image == NULL)
        return;
    if (image->file.len > 0)
        (void)munmap((void *)(uintptr_t)image->file.data, image->file.len);
    *image = (struct uns_image){0};
}

const char *uns_image_find(const struct uns_image *image, const char *text)
{
    if (image->file.len == 0)
        return NULL;
    return memmem(image->file.data, image->file.len, text, strlen(text));
}

/* "7.88.1" is it; a user agent "libcurl/%s" is not. */
static size_t version_at(struct uns_slice text)
{
    size_t len = 0;

    while (len < text.len && len < UNS_IMAGE_VERSION - 1 &&
           (text.data[len] == '.' ||
            (text.data[len] >= '0' && text.data[len] <= '9')))
        len++;
    return len > 0 && memchr(text.data, '.', len) ? len : 0;
}

static bool find_version(struct uns_slice left, const char *before,
                         char ret_version[UNS_IMAGE_VERSION])
{
    size_t before_len = strlen(before);
    const char *found;

    while ((found = memmem(left.data, left.len, before, before_len))) {
        size_t len;

        found += before_len;
        left.len -= (size_t)(found - left.data);
        left.data = found;
        len = version_at(left);
        if (len == 0)
            continue;
        memcpy(ret_version, found, len);
        ret_version[len] = '\0';
        return true;
    }
    return false;
}

/* A compiler may have taken the first of them apart (Ubuntu 22.04); the second
 * is what libcurl tells a server of dictionaries. */
bool uns_image_curl(const struct uns_image *image,
                    char ret_version[UNS_IMAGE_VERSION])
{
    return image->file.len > 0 &&
           (find_version(image->file, LIBRARY "/", ret_version) ||
            find_version(image->file, "CLIENT " LIBRARY " ", ret_version));
}

bool uns_image_is_libcurl(const char *name)
{
    const char *base = uns_image_base(name);
    const char *rest = base + sizeof LIBRARY - 1;

    return strncmp(base, LIBRARY, sizeof LIBRARY - 1) == 0 &&
           (*rest == '.' || *rest == '-') && strstr(rest, ".so") != NULL;
}
