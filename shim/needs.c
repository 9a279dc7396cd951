/* SPDX-License-Identifier: MIT */

/*
 * needs - reads the dynamic section of an ELF file.  The file may be anything,
 * and may change while it is read: each piece is copied into a buffer of fixed
 * size, and an offset is only ever given to pread.  Source: gABI 4.1,
 * chapters 4 and 5.
 */

#include "needs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Far more than any library has; the rest would not be looked at. */
enum {
    SEGMENTS = 64,
    ENTRIES = 1024,
    BATCH = 64 /* entries read at a time */
};

struct file {
    int fd;
    unsigned segment_count;
    ElfW(Phdr) segments[SEGMENTS];
};

/* How many bytes there were; 0 when the offset leads nowhere. */
static size_t read_at(const struct file *file, uint64_t offset, void *to,
                      size_t size)
{
    ssize_t got =
        offset > INT64_MAX ? -1 : pread(file->fd, to, size, (off_t)offset);

    return got > 0 ? (size_t)got : 0;
}

static bool read_segments(struct file *file)
{
    const unsigned char own_class =
        sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    ElfW(Ehdr) head;
    size_t size;

    if (read_at(file, 0, &head, sizeof(head)) != sizeof(head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != own_class ||
        head.e_phentsize != sizeof(file->segments[0]) ||
        head.e_phnum > SEGMENTS)
        return false;
    file->segment_count = head.e_phnum;
    size = head.e_phnum * sizeof(file->segments[0]);
    return read_at(file, head.e_phoff, file->segments, size) == size;
}

static const ElfW(Phdr) * find_dynamic(const struct file *file)
{
    for (unsigned i = 0; i < file->segment_count; i++)
        if (file->segments[i].p_type == PT_DYNAMIC)
            return &file->segments[i];
    return NULL;
}

/* Where the file has what will be mapped at `address`; UINT64_MAX: nowhere. */
static uint64_t offset_of(const struct file *file, uint64_t address)
{
    for (unsigned i = 0; i < file->segment_count; i++) {
        const ElfW(Phdr) *segment = &file->segments[i];

        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz)
            return address - segment->p_vaddr + segment->p_offset;
    }
    return UINT64_MAX;
}

/* Entries [index, index + BATCH) of the dynamic section, as many as there
 * are. */
static size_t read_entries(const struct file *file, const ElfW(Phdr) * dynamic,
                           size_t index, ElfW(Dyn) entries[BATCH])
{
    size_t offset = index * sizeof(entries[0]);
    size_t size = BATCH * sizeof(entries[0]);

    if (index >= ENTRIES || offset >= dynamic->p_filesz)
        return 0;
    if (size > dynamic->p_filesz - offset)
        size = dynamic->p_filesz - offset;
    return read_at(file, dynamic->p_offset + offset, entries, size) /
           sizeof(entries[0]);
}

/* libcurl.so.4, libcurl-gnutls.so.4, ... but not libcurlpp.so */
static bool is_libcurl(const struct file *file, uint64_t offset)
{
    char name[sizeof("libcurl.") - 1];

    return read_at(file, offset, name, sizeof(name)) == sizeof(name) &&
           memcmp(name, "libcurl", sizeof(name) - 1) == 0 &&
           (name[7] == '.' || name[7] == '-');
}

/* Calls `visit` for each entry until it says true. */
static bool any_entry(const struct file *file, const ElfW(Phdr) * dynamic,
                      bool (*visit)(const struct file *, const ElfW(Dyn) *,
                                    uint64_t *),
                      uint64_t *data)
{
    ElfW(Dyn) entries[BATCH];
    size_t count;

    for (size_t index = 0;
         (count = read_entries(file, dynamic, index, entries)) > 0;
         index += count)
        for (size_t i = 0; i < count; i++) {
            if (entries[i].d_tag == DT_NULL)
                return false;
            if (visit(file, &entries[i], data))
                return true;
        }
    return false;
}

static bool find_strings(const struct file *file, const ElfW(Dyn) * entry,
                         uint64_t *strings)
{
    if (entry->d_tag != DT_STRTAB)
        return false;
    *strings = offset_of(file, entry->d_un.d_ptr);
    return true;
}

static bool names_libcurl(const struct file *file, const ElfW(Dyn) * entry,
                          uint64_t *strings)
{
    return entry->d_tag == DT_NEEDED && entry->d_un.d_val < INT64_MAX &&
           is_libcurl(file, *strings + entry->d_un.d_val);
}

static bool needs(struct file *file)
{
    const ElfW(Phdr) * dynamic;
    uint64_t strings = UINT64_MAX;

    if (!read_segments(file))
        return false;
    dynamic = find_dynamic(file);
    return dynamic && any_entry(file, dynamic, find_strings, &strings) &&
           strings < INT64_MAX &&
           any_entry(file, dynamic, names_libcurl, &strings);
}

bool uns_needs_libcurl(const char *path)
{
    int saved_errno = errno;
    struct file file = {
        .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};
    bool found = false;

    if (file.fd >= 0) {
        found = needs(&file);
        (void)close(file.fd);
    }
    errno = saved_errno;
    return found;
}
