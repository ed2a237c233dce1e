"""HAProxy, Caddy, and nginx in front of a server, each with one upstream connection for all its clients."""

import contextlib
import shutil
import socket
import subprocess
import time

from .server import free_port
from .wait import HANG_S

HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  http-reuse always
frontend front
  bind 127.0.0.1:{port}
  default_backend back
backend back
  server one 127.0.0.1:{to} maxconn 1 pool-max-conn 1
"""

CADDY = """
{{
  admin off
  auto_https off
}}
http://:{port} {{
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:{to} {{
    flush_interval -1
    transport http {{
      max_conns_per_host 1
      keepalive_idle_conns_per_host 1
    }}
  }}
}}
"""

NGINX = """
daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream back {{ server 127.0.0.1:{to}; keepalive 1; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://back;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_request_buffering off;
      proxy_buffering off;
    }}
  }}
}}
"""

# name → (program, its configuration, its arguments)
PROXIES = {
    "haproxy": ("/usr/sbin/haproxy", HAPROXY, ["-db", "-f"]),
    "caddy": ("/usr/bin/caddy", CADDY, ["run", "--adapter", "caddyfile", "--config"]),
    "nginx": ("/usr/sbin/nginx", NGINX, ["-p", "{folder}", "-c"]),
}


def listens(port):
    # lapse: the caller tries again
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextlib.contextmanager
def proxy(name, server, folder):
    """Runs such a proxy in front of the server during the block; yields its port."""
    program, text, words = PROXIES[name]
    assert shutil.which(program), f"{program} is missing: scripts/install test"
    port = free_port()
    config = folder / f"{name}.conf"
    config.write_text(text.format(port=port, to=server.http_port, folder=folder))
    words = [word.format(folder=folder) for word in words]
    with open(folder / f"{name}.out", "wb") as out:
        process = subprocess.Popen(
            [program, *words, str(config)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env={
                "HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder),
                "XDG_DATA_HOME": str(folder),
                "PATH": "/usr/sbin:/usr/bin:/bin",
            },
        )
    try:
        until = time.monotonic() + HANG_S
        while not listens(port):
            assert process.poll() is None and time.monotonic() < until, (folder / f"{name}.out").read_text()[
                -2000:
            ]
            time.sleep(0.02)
        yield port
    finally:
        process.terminate()
        process.wait(HANG_S)
