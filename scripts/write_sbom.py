"""List what an installed thresher consists of, as CycloneDX 1.6: made from installed metadata.

Called with an environment that has thresher and what it needs, and with the wheel that was
installed there. The list has no clock and no serial number: the same wheel gives the same bytes.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

#: What an environment brings along without being asked.
NOT_OURS = {"pip", "setuptools", "wheel"}


def address(found: Distribution) -> str:
    """The package URL, which is the name of a component too."""
    return f"pkg:pypi/{canonicalize_name(found.metadata['Name'])}@{found.version}"


def component(found: Distribution) -> dict[str, Any]:
    """A package as CycloneDX describes it."""
    said = found.metadata
    told: dict[str, Any] = {
        "type": "library",
        "bom-ref": address(found),
        "name": said["Name"],
        "version": found.version,
        "purl": address(found),
    }
    if "License-Expression" in said:
        told["licenses"] = [{"expression": said["License-Expression"]}]
    return told


def needed(found: Distribution, there: dict[str, Distribution]) -> list[str]:
    """What a package asks for on this machine, without its extras."""
    asked = [Requirement(text) for text in found.requires or []]
    names = [
        canonicalize_name(one.name)
        for one in asked
        if one.marker is None or one.marker.evaluate({"extra": ""})
    ]
    return sorted({address(there[name]) for name in names if name in there})


def bill(environment: Path, wheel: Path) -> dict[str, Any]:
    """The whole list."""
    folders = [str(folder) for folder in environment.glob("lib/python*/site-packages")]
    there: dict[str, Distribution] = {
        canonicalize_name(found.metadata["Name"]): found for found in distributions(path=folders)
    }
    there = {name: there[name] for name in sorted(there) if name not in NOT_OURS}
    own = component(there["thresher"])
    digest = sha256(wheel.read_bytes()).hexdigest()
    own["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [component(one) for name, one in there.items() if name != "thresher"],
        "dependencies": [
            {"ref": address(one), "dependsOn": needed(one, there)} for one in there.values()
        ],
    }


if __name__ == "__main__":
    print(json.dumps(bill(Path(sys.argv[1]), Path(sys.argv[2])), indent=2, ensure_ascii=False))
