"""Where the benchmarks take place: a home of their own, a static nginx and mock
servers on loopback, and programs run in turn without and with the preload.
Measures nothing itself; leaves neither processes nor files behind."""
import grp
import os
import pwd
import resource
import shutil
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time

BODY = '{"model":"m","stream":true,"messages":[]}'
CHAT = "/v1/chat/completions"

# An event of 160 bytes, blank line included; the text is now longer, now
# shorter, and what pads it (a provider does that against eavesdroppers) as well.
CHUNK = (
    'data: {"id":"chatcmpl-9aXk","object":"chat.completion.chunk","model":"m",'
    '"choices":[{"index":0,"delta":{"content":"%s"}}],"obfuscation":"%s"}\n\n'
)
LAST = "data: [DONE]\n\n"
WORDS = ("the", " Lofoten", " islands", " lie", "\\n", ", and", " cod", " dries")
PAD = "q8Zx0mWuT4kdHs7Ley2B"
CHUNK_BYTES = 160

# What the preload is told, by name of the mode.
MODES = {
    "plain": None,
    "observe": {},
    "hedge": {"UNSTALL__MODE": "hedge", "UNSTALL__HEDGE__AFTER_S": "3"},
    "learned": {
        "UNSTALL__MODE": "hedge",
        "UNSTALL__HEDGE__AFTER_S": "auto",
        "UNSTALL__HEDGE__FLOOR_S": "3",
    },
}

NGINX = """
daemon off;
user {user} {group};  # heeded when root starts it
pid {home}/nginx.pid;
error_log {home}/nginx.log;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off;
    sendfile on;
    default_type text/event-stream;
    keepalive_requests 1000000;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {home}/www;
        error_page 405 =200 $uri;  # a file, for POST as well
    }}
}}
"""


def event(number):
    word = WORDS[number % len(WORDS)]
    pad = PAD[number % 9:] + PAD
    return CHUNK % (word, pad[:CHUNK_BYTES - len(CHUNK % (word, ""))])


def events(count):
    """A stream of as many chunks, each of 160 bytes."""
    return "".join(event(i) for i in range(count)) + LAST


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class World:
    """One home, its servers and its programs; a context manager."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.source = os.path.dirname(os.path.abspath(__file__))
        self.home = tempfile.mkdtemp(prefix="unstall-bench-")
        shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        # A session's runtime directory is in memory.
        self.runtime = tempfile.mkdtemp(prefix="unstall-bench-", dir=shm)
        self.servers = []
        self.static = None

    def __enter__(self):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.client = self.compiled("client.c")
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(self.runtime, ignore_errors=True)

    def compiled(self, name):
        program = os.path.join(self.home, name[:-2])
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-std=c11", "-D_GNU_SOURCE",
             "-o", program, os.path.join(self.source, name), "-lcurl"],
            check=True)
        return program

    # --- programs -----------------------------------------------------------

    def env(self, mode, **more):
        kept = {"PATH": os.environ["PATH"], "HOME": self.home,
                "XDG_STATE_HOME": self.home + "/state",
                "XDG_CONFIG_HOME": self.home, "XDG_RUNTIME_DIR": self.runtime,
                "LC_ALL": "C.UTF-8", "B": self.build, "no_proxy": "*"}
        if MODES[mode] is not None:
            kept["LD_PRELOAD"] = self.build + "/libunstall.so"
            kept.update(MODES[mode])
        kept.update(more)
        return kept

    def run(self, mode, *argv, **more):
        """Its lines, as lists of numbers."""
        done = subprocess.run(argv, env=self.env(mode, **more), check=True,
                              stdout=subprocess.PIPE, text=True)
        return [[float(word) for word in line.split()]
                for line in done.stdout.splitlines()]

    def ask(self, mode, verb, url, number, **more):
        return self.run(mode, self.client, verb, url, str(number), **more)

    def in_turn(self, modes, times, verb, url, number):
        """The lines of each mode, the modes taking turns."""
        lines = {mode: [] for mode in modes}
        for _ in range(times):
            for mode in modes:
                lines[mode].append(self.ask(mode, verb, url, number))
        return lines

    def store(self, sql):
        """A number out of the store, once all that is left is in it."""
        subprocess.run([self.build + "/unstall", "calls", "--json"],
                       env=self.env("plain"), check=True,
                       stdout=subprocess.DEVNULL)
        base = sqlite3.connect(self.home + "/state/unstall/unstall.db")
        try:
            return base.execute(sql).fetchone()[0]
        finally:
            base.close()

    def forget(self):
        shutil.rmtree(self.home + "/state", ignore_errors=True)

    # --- servers ------------------------------------------------------------

    def nginx(self):
        """The base URL of files: /plain, and N chunks below /N."""
        if self.static is None:
            port = free_port()
            self.page("/plain", "tide\n" * 200)
            with open(self.home + "/nginx.conf", "w") as file:
                file.write(NGINX.format(
                    home=self.home, port=port,
                    user=pwd.getpwuid(os.getuid()).pw_name,
                    group=grp.getgrgid(os.getgid()).gr_name))
            self.start([shutil.which("nginx") or "/usr/sbin/nginx", "-c",
                        self.home + "/nginx.conf"])
            self.static = f"http://127.0.0.1:{port}"
            self.await_static()
        return self.static

    def await_static(self):
        for _ in range(500):
            if subprocess.run(["curl", "-sf", "-o", "/dev/null",
                               self.static + "/plain"],
                              env=self.env("plain")).returncode == 0:
                return
            time.sleep(0.01)
        raise RuntimeError("nginx does not answer")

    def page(self, path, text):
        name = self.home + "/www" + path
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as file:
            file.write(text)

    def stream(self, count):
        """The URL of a stream of so many chunks."""
        base = self.nginx()
        self.page(f"/{count}{CHAT}", events(count))
        return f"{base}/{count}{CHAT}"

    def mock(self, fault, *options):
        """The URL of a server that does that."""
        server = self.start(
            [self.build + "/mock-llm", "--fault", fault, *options],
            stdout=subprocess.PIPE)
        address = server.stdout.readline().split()[-1]
        return f"http://{address}{CHAT}"

    def start(self, argv, **more):
        self.servers.append(subprocess.Popen(
            argv, env=self.env("plain"), text=True, **more))
        return self.servers[-1]

    def stop(self):
        for server in self.servers:
            server.terminate()
            server.wait()
        self.servers = []
        self.static = None


def median(numbers):
    return statistics.median(numbers)


def median_of_pairs(ours, base):
    """How much more ours is, each compared with its neighbour in time."""
    return statistics.median(a - b for a, b in zip(ours, base))
