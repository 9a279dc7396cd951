"""pycurl's CurlMulti in an event loop: sockets and one timer."""
import select
import time

import pycurl

from ask import files
from ask_pycurl import finish, handle

EVENTS = {
    pycurl.POLL_IN: select.POLLIN,
    pycurl.POLL_OUT: select.POLLOUT,
    pycurl.POLL_INOUT: select.POLLIN | select.POLLOUT,
}


class Loop:
    def __init__(self):
        self.poll = select.poll()
        self.due = None
        self.multi = pycurl.CurlMulti()
        self.multi.setopt(pycurl.M_SOCKETFUNCTION, self.on_socket)
        self.multi.setopt(pycurl.M_TIMERFUNCTION, self.on_timer)

    def on_socket(self, what, fd, _multi, _data):
        if what == pycurl.POLL_REMOVE:
            self.poll.unregister(fd)
        else:
            self.poll.register(fd, EVENTS[what])

    def on_timer(self, timeout_ms):
        self.due = None
        if timeout_ms >= 0:
            self.due = time.monotonic() + timeout_ms / 1000

    def step(self):
        """Waits for a socket or the timer; returns how many still run."""
        wait_ms = None
        if self.due is not None:
            wait_ms = max(0, (self.due - time.monotonic()) * 1000 + 1)
        ready = self.poll.poll(wait_ms)
        if self.due is not None and time.monotonic() >= self.due:
            self.due = None
            ready.append((pycurl.SOCKET_TIMEOUT, 0))
        running = 1
        for fd, events in ready:
            mask = pycurl.CSELECT_IN if events & ~select.POLLOUT else 0
            mask |= pycurl.CSELECT_OUT if events & select.POLLOUT else 0
            _, running = self.multi.socket_action(fd, mask if events else 0)
        return running


loop = Loop()
handles = [handle(write) for write in files()]
for curl in handles:
    loop.multi.add_handle(curl)
while loop.step():
    pass
finish(loop.multi, handles)
