"""The built training page has the loss and the gradients of PyTorch, in a worker of Chromium.

WebGPU computes on Chromium's software adapter, which shows that it is right, not how fast it is.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

from clwork.lab import training_page
from clwork.lab.page import standalone
from scripts import page_reference

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.smoke
TOLERANCE = 1e-4
# The gradient of some tensors, such as the keys' biases, is 0 except for rounding; differences of
# these are compared with the norm of all gradients.
ROUNDING = 1e-7
SECURE = "http://localhost/"
SOFTWARE_GPU = (
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
)
# gzip in base64, as js/build.mjs stores the worker
PACKED = re.compile(r'"(H4sI[A-Za-z0-9+/=]+)"')
# Opens a trainer in a worker, and returns loss and gradient of each batch.
DIFFERENTIATE = """async ({ source, weights, config, vocabulary, seed, batches, backend }) => {
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    const call = (method, ...parameters) => new Promise((resolve, reject) => {
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.onmessage = ({ data }) =>
            data.error ? reject(new Error(data.error)) : resolve(data.result);
        worker.postMessage({ id: 0, method, parameters });
    });
    const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
    const base64 = async (array) => {
        const reader = new FileReader();
        const read = new Promise((resolve) => { reader.onload = resolve; });
        reader.readAsDataURL(new Blob([array]));
        await read;
        return reader.result.split(",")[1];
    };
    const settings = { seed };
    await call("open", { weights: bytes.buffer, config, vocabulary, backend, settings });
    const found = [];
    for (const texts of batches) {
        const { loss, gradient } = await call("differentiate", texts);
        found.push({ loss, gradient: await base64(gradient) });
    }
    worker.terminate();
    return found;
}"""


def worker_source() -> str:
    """The script of the worker that the built page holds."""
    [packed] = PACKED.findall(standalone.module("front"))
    return gzip.decompress(base64.b64decode(packed)).decode("utf-8")


def names_in_order(weights: bytes) -> list[str]:
    """The trained tensors in the page's order: those of the encoder's file, then the head."""
    size = int.from_bytes(weights[:8], "little")
    names = [name for name in json.loads(weights[8 : 8 + size]) if name.startswith("bert.")]
    return [*names, "head.dense.weight", "head.dense.bias"]


def compare(
    found: npt.NDArray[np.float32], expected: dict[str, npt.NDArray[np.float32]], names: list[str]
) -> None:
    """Every element differs by at most 1e-4 of the largest one of its tensor."""
    assert sorted(names) == sorted(expected)
    total = float(np.sqrt(sum(np.square(slope).sum(dtype="f8") for slope in expected.values())))
    assert total > 1, "gradients of zeros would show nothing"
    assert found.size == sum(slope.size for slope in expected.values())
    start = 0
    for name in names:
        slope = expected[name].ravel()
        difference = float(np.abs(found[start : start + slope.size] - slope).max())
        limit = TOLERANCE * float(np.abs(slope).max()) + ROUNDING * total
        assert difference < limit, f"{name}: {difference}, limit {limit}"
        start += slope.size


@pytest.mark.parametrize("backend", ["wasm", "webgpu"])
def test_loss_and_every_gradient_of_the_built_page_are_those_of_pytorch(
    browser: Browser, browser_path: str, backend: str
) -> None:
    files = training_page.mini_files()
    weights = files["model.safetensors"]
    ids = json.loads(files["tokenizer.json"])["model"]["vocab"]
    batches = page_reference.gradient_batches()
    given: dict[str, Any] = {
        "source": worker_source(),
        "weights": base64.b64encode(weights).decode("ascii"),
        "config": json.loads(files["config.json"]),
        "vocabulary": sorted(ids, key=ids.__getitem__),
        "seed": page_reference.SEED,
        "batches": batches,
        "backend": backend,
    }
    with browser.browser_type.launch(executable_path=browser_path, args=SOFTWARE_GPU) as own:
        page = own.new_page()
        # a secure address, since others have no WebGPU
        page.route(SECURE, lambda route: route.fulfill(body=""))
        page.goto(SECURE)
        rows = page.evaluate(DIFFERENTIATE, given)
    for texts, row in zip(batches, rows, strict=True):
        loss, gradients = page_reference.loss_and_gradients(texts)
        assert row["loss"] == pytest.approx(loss, rel=TOLERANCE)
        found = np.frombuffer(base64.b64decode(row["gradient"]), "<f4")
        expected = {name: slope.numpy() for name, slope in gradients.items()}
        compare(found, expected, names_in_order(weights))
