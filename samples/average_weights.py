"""Average the weights of networks that were fitted further from one another [1]_: ``python -m samples.average_weights
OUTPUT FILE…``.

What is learned anew is kept for the most part, and what would be forgotten of the old as well. Wants onnx.

References:
    .. [1] M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without
       increasing inference time", ICML 2022.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def averaged(files: list[Path]) -> onnx.ModelProto:
    """A network with the mean of the weights of networks in ONNX of the same layers."""
    networks = [onnx.load(file) for file in files]
    for weights in zip(*(network.graph.initializer for network in networks), strict=True):
        values = np.stack([numpy_helper.to_array(one) for one in weights])
        if values.dtype.kind == "f":
            mean = values.mean(axis=0, dtype=np.float64).astype(values.dtype)
            weights[0].CopyFrom(numpy_helper.from_array(mean, weights[0].name))
    return networks[0]


def main() -> None:
    """Write the average."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args()
    onnx.save(averaged(asked.files), str(asked.output))


if __name__ == "__main__":
    main()
