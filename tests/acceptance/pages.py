"""Runs a script of a page in a browser, or with only those features of Node.js that browsers have too."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from tests.acceptance.typescript import run

BROWSER = """
    import { readFileSync } from "node:fs";
    import { runInNewContext } from "node:vm";
    const { fetch, Request, Response, Headers, FormData, URL, URLSearchParams, AbortController } = globalThis;
    const { performance, setTimeout, clearTimeout, ReadableStream, TransformStream, TextDecoderStream } = globalThis;
    const crypto = { getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes) }; // as of a page over http
    const report = (what) => { console.log(JSON.stringify(what)); process.exit(); };
    runInNewContext(readFileSync("%s", "utf-8"), {
        fetch, Request, Response, Headers, FormData, URL, URLSearchParams, AbortController,
        performance, setTimeout, clearTimeout, ReadableStream, TransformStream, TextDecoderStream, crypto, report,
    });
"""


def output_in_a_vm(script: Path) -> Any:
    """The output of the page's script, with no module of Node.js, no ``process`` and no ``Buffer``."""
    return json.loads(run("node", "--input-type=module", "--eval", BROWSER % script))


def output_in_chromium(script: Path, folder: Path) -> Any:
    """The same, and whether the page is a secure one."""
    with site(script.read_bytes()) as (port, answers), browsing(f"http://phone.test:{port}/", folder):
        return answers.get(timeout=60)


OPENING = b"""<!doctype html><meta charset="utf-8"><script>
    const report = (what) => fetch("/", { method: "POST", body: JSON.stringify({ ...what, isSecureContext }) });
</script><script src="page.js"></script>"""


@contextmanager
def site(script: bytes) -> Iterator[tuple[int, Queue[Any]]]:
    """The port of a site with one page, and the page's output."""
    answers: Queue[Any] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = script if self.path == "/page.js" else OPENING
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript; charset=utf-8" if content is script else "text/html")
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Quietly."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield listening.server_address[1], answers
        finally:
            listening.shutdown()
            thread.join()


@contextmanager
def browsing(address: str, folder: Path) -> Iterator[None]:
    """A browser that takes ``phone.test`` for another machine, so that the page is not one to be trusted."""
    own = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    where = [f"--user-data-dir={folder / 'profile'}", "--host-resolver-rules=MAP phone.test 127.0.0.1"]
    with subprocess.Popen(["chromium", *own, *where, address], stderr=subprocess.DEVNULL) as browser:
        try:
            yield
        finally:
            browser.terminate()
