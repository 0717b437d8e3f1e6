"""The gold files: histories as each generation of writers wrote them, committed with what they mean."""

from __future__ import annotations

import json
from importlib import resources

from coli_conformance.corpus.target import Target
from coli_conformance.matrix.cells import Written

SCENARIO = "gold"
"""The one scenario that gold files are about."""
WHY = (
    "A history as an earlier generation of writers wrote it, byte for byte, still means what it meant (R01, R08, I01)."
)


def gold_files() -> tuple[Written, ...]:
    """Return the gold files in the order of their index, each as if a writer of that name had just written it."""
    folder = resources.files("coli_vectors").joinpath("gold")
    index = json.loads(folder.joinpath("index.json").read_text(encoding="utf-8"))
    return tuple(
        Written(
            writer=f"gold: {entry['name']}",
            scenario=SCENARIO,
            target=Target(entry["engine"], entry["n_layers"], entry["n_experts"]),
            meant=tuple((layer, expert, count) for layer, expert, count in entry["records"]),
            data=folder.joinpath(entry["file"]).read_bytes(),
            roles=tuple(entry["roles"]),
        )
        for entry in index["files"]
    )
