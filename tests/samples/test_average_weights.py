"""Weights of several networks come to their mean."""

from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install '.[train]'")


def network(file: Path, weight: float, count: int) -> Path:
    """A network that adds a weight, and knows a count."""
    values = [
        onnx.numpy_helper.from_array(np.array([weight], np.float32), "weight"),
        onnx.numpy_helper.from_array(np.array([count], np.int64), "count"),
    ]
    given, told = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in ("seen", "told"))
    node = onnx.helper.make_node("Add", ["seen", "weight"], ["told"])
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph([node], "net", [given], [told], values)), str(file))
    return file


def test_weights_are_averaged_and_whole_numbers_stay(tmp_path: Path) -> None:
    from samples.average_weights import averaged  # noqa: PLC0415  (wants onnx)

    files = [network(tmp_path / f"{k}.onnx", weight, 7) for k, weight in enumerate((1.0, 2.0, 6.0))]
    weight, count = (onnx.numpy_helper.to_array(one) for one in averaged(files).graph.initializer)
    assert weight == pytest.approx([3.0])
    assert count.tolist() == [7]
