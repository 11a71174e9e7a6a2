"""Values that are held in memory, for tests of what is done with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tfdbg_tui.data.records.tensors import WrittenTensor
from tfdbg_tui.data.values.element_sources import DecodedElements
from tfdbg_tui.data.values.recorded_value import RecordedValue


def held(values: npt.ArrayLike, size: int | None = None, dtype: Any = None) -> RecordedValue:
    """An array as a value; of another size, the last element is repeated to make a vector."""
    array = np.array(values, dtype)
    shape = array.shape if size is None else (size,)
    written = WrittenTensor(array.dtype.name, shape, size or array.size, array.reshape(-1))
    return RecordedValue(array.dtype.name, shape, written.size, DecodedElements(written))
