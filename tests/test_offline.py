"""Functions that are documented to work offline do so, and none tries to use the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# They would hide requests.
OFFLINE = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE")
BLOCKED = """
import socket, sys, urllib.request

requested = []
REACHING_OUT = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "socket.getnameinfo",
    "socket.sendto",
    "socket.sendmsg",
)

def refuse(event, arguments):
    if event in REACHING_OUT:
        requested.append(f"{event} {arguments[-1] if event.endswith('connect') else arguments}")
        raise OSError("there is no network here")

sys.addaudithook(refuse)
for reach in (
    lambda: socket.create_connection(("127.0.0.1", 9), 1),
    lambda: socket.socket().connect_ex(("127.0.0.1", 9)),
    lambda: urllib.request.urlopen("http://example.org", timeout=1),
):
    before = len(requested)
    try:
        reach()
    except OSError:
        pass
    assert len(requested) > before, "the block does not hold"
requested.clear()
"""
EVERYTHING = """
from pathlib import Path

import clwork
from clwork import data, lab
from tests.runs import stop_at

place = Path(sys.argv[1])
OWN = {"dclr": {"complementary_steps": 1}, "gclsr": {"filters": 4}}
corpus = data.sentences("wikipedia-mini")[:64]
mini = clwork.load_encoder("mini")
for method in clwork.methods.names():
    settings = {"sentences": corpus, "batch_size": 4, "steps": 2, **OWN.get(method, {})}
    lab.panel(method, **settings)
    run = clwork.train(method, folder=place / method, **settings)
    run.encoder.save(place / "saved" / method)
    again = clwork.load_encoder(place / "saved" / method)
    assert again.fingerprint() == run.encoder.fingerprint()
    cut = stop_at(clwork.start(method, folder=place / f"{method}-cut", **settings), 1)
    assert clwork.resume(cut.save(place / f"{method}-copy")).status == "finished"
    lab.panel(run=clwork.open_run(cut.folder)).wait()
assert (clwork.load_encoder("textcnn:glove-6b-50d").encode(["one sentence"]) != 0).any()
data.triplets(), data.paraphrases()
assert clwork.load_encoder("all-MiniLM-L6-v2").dim == 384
print("requested:", requested)
"""


@pytest.mark.nightly
def test_no_call_requests_the_network(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in OFFLINE}
    environment |= {
        "HF_HOME": str(tmp_path / "empty"),
        "TQDM_DISABLE": "1",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", BLOCKED + EVERYTHING, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == "requested: []"
