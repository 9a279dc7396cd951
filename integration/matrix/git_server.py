"""Serves the repositories of a directory by git's own http-backend; says
where it listens, like the mock provider."""
import http.server
import os
import subprocess
import sys

BACKEND = subprocess.check_output(["git", "--exec-path"], text=True).strip()
ROOT = os.path.abspath(sys.argv[1])


class Handler(http.server.CGIHTTPRequestHandler):
    def is_cgi(self):
        path, _, query = self.path.partition("?")
        self.cgi_info = "", "git-http-backend" + path + "?" + query
        return True

    def translate_path(self, path):
        return os.path.join(BACKEND, "git-http-backend")

    def log_message(self, *_):
        pass


http.server.nobody_uid = os.getuid  # it would give up root
os.environ.update(GIT_PROJECT_ROOT=ROOT, GIT_HTTP_EXPORT_ALL="1")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on 127.0.0.1:%d" % server.server_address[1], flush=True)
server.serve_forever()
