"""A program with children: HOW URL BODY.  Each process prints its answer whole,
so their order does not matter.

    before   the child has the handle that its parent made, and never used
    after    the child has the handle that its parent has used
    midway   a child is forked in the middle of the answer, with a call of its
             own; the parent goes on with its own
    quiet    a child is forked in the middle of the answer, and just ends
    exec     curl(1) is started in the middle of the answer
    spawn    the same by posix_spawn()
"""
import os
import sys

import pycurl

HOW, URL, BODY = sys.argv[1:4]
CURL = ["curl", "-sSN", "-d", BODY, "-o", "child", URL]


def handle(write):
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, URL)
    curl.setopt(pycurl.POSTFIELDS, BODY)
    curl.setopt(pycurl.WRITEFUNCTION, write)
    return curl


def ask(name, curl=None):
    got = bytearray()
    curl = curl or handle(got.extend)
    curl.setopt(pycurl.WRITEFUNCTION, got.extend)
    curl.perform()
    with open(name, "wb") as file:
        file.write(got)
    return curl


def fork(work):
    """Runs work in a child; returns its pid."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def wait(pid):
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit("the child ended with %d" % status)


def midway(start):
    """Starts a child at the first piece of an answer."""
    got, pids = bytearray(), []

    def write(data):
        got.extend(data)
        if not pids:
            pids.append(start())

    handle(write).perform()
    with open("parent", "wb") as file:
        file.write(got)
    wait(pids[0])


def start_exec():
    return fork(lambda: os.execvp(CURL[0], CURL))


def start_spawn():
    return os.posix_spawnp(CURL[0], CURL, os.environ)


if HOW in ("before", "after"):
    curl = handle(lambda data: None) if HOW == "before" else ask("parent")
    pid = fork(lambda: ask("child", curl))
    wait(pid)
    ask("parent", curl)
else:
    midway({
        "midway": lambda: fork(lambda: ask("child")),
        "quiet": lambda: fork(lambda: None),
        "exec": start_exec,
        "spawn": start_spawn,
    }[HOW])
