"""CALLS calls in one process, on one handle and on new ones in turn; says how
many KiB and descriptors there are more at the end than after a quarter of
them: flat.py URL BODY CALLS."""
import os
import sys

import pycurl

URL, BODY, CALLS = sys.argv[1], sys.argv[2], int(sys.argv[3])


def kib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * (os.sysconf("SC_PAGE_SIZE") >> 10)


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def ask(curl):
    global got
    got = 0
    curl.setopt(pycurl.URL, URL)
    curl.setopt(pycurl.POSTFIELDS, BODY)
    curl.setopt(pycurl.WRITEFUNCTION, take)
    curl.perform()
    sizes.add(got)


def take(piece):
    global got
    got += len(piece)


got, sizes = 0, set()
kept = pycurl.Curl()
begin = None
for number in range(CALLS):
    if number == CALLS // 4:
        begin = kib(), descriptors()
    if number % 2:
        fresh = pycurl.Curl()
        ask(fresh)
        fresh.close()
    else:
        ask(kept)
print(kib() - begin[0], descriptors() - begin[1])
sys.exit(len(sizes) != 1 or 0 in sizes)
