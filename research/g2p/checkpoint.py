"""A trained network with its sizes and labels."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .model import Shape


@dataclass
class Checkpoint:
    shape: Shape
    labels: list[str]
    parameters: dict


def save(path: Path, checkpoint: Checkpoint):
    about = json.dumps({"shape": dataclasses.asdict(checkpoint.shape), "labels": checkpoint.labels})
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, about=np.array(about), **{name: np.asarray(v) for name, v in checkpoint.parameters.items()})
    partial.replace(path)


def average(checkpoints: list[Checkpoint]) -> Checkpoint:
    """The mean of the parameters of checkpoints of one training."""
    first = checkpoints[0]
    parameters = {name: sum(c.parameters[name] for c in checkpoints) / len(checkpoints) for name in first.parameters}
    return Checkpoint(first.shape, first.labels, parameters)


def load(path: Path) -> Checkpoint:
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
        parameters = {name: file[name] for name in file.files if name != "about"}
    sizes = about["shape"]
    sizes["windows"] = tuple(map(tuple, sizes["windows"]))
    return Checkpoint(Shape(**sizes), about["labels"], parameters)
