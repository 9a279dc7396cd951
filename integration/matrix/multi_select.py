"""pycurl's CurlMulti in a loop of select()."""
import select

import pycurl

from ask import files
from ask_pycurl import finish, handle


def step(multi):
    while True:
        code, running = multi.perform()
        if code != pycurl.E_CALL_MULTI_PERFORM:
            return running


multi = pycurl.CurlMulti()
handles = [handle(write) for write in files()]
for curl in handles:
    multi.add_handle(curl)
while step(multi):
    timeout = multi.timeout()
    seconds = 1 if timeout < 0 else min(timeout / 1000, 1)
    sets = multi.fdset()
    if any(sets):
        select.select(*sets, seconds)
    else:
        select.select([], [], [], min(seconds, 0.05))
finish(multi, handles)
