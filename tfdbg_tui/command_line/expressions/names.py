"""What of numpy can be named in an expression, and nothing else can."""

from __future__ import annotations

from typing import Any

import numpy as np

ELEMENTWISE = (
    "abs", "absolute", "fabs", "sign", "negative", "positive", "sqrt", "cbrt", "square",
    "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "arcsinh", "arccosh",
    "arctanh", "floor", "ceil", "trunc", "rint", "round", "around", "isnan", "isinf",
    "isfinite", "isposinf", "isneginf", "signbit", "add", "subtract", "multiply", "divide",
    "true_divide", "floor_divide", "mod", "remainder", "fmod", "maximum", "minimum", "fmax",
    "fmin", "hypot", "logaddexp", "equal", "not_equal", "less", "less_equal", "greater",
    "greater_equal", "logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_and",
    "bitwise_or", "bitwise_xor", "invert", "where", "clip", "nan_to_num", "real", "imag",
    "conj", "angle", "deg2rad", "rad2deg", "isclose", "heaviside", "nextafter", "spacing",
    "copysign",
)  # fmt: skip
"""What is done element by element."""

REDUCING = (
    "sum", "prod", "mean", "std", "var", "min", "max", "amin", "amax", "ptp", "median", "any",
    "all", "count_nonzero", "argmin", "argmax", "nansum", "nanprod", "nanmean", "nanstd",
    "nanvar", "nanmin", "nanmax", "nanmedian", "nanargmin", "nanargmax", "average", "quantile",
    "percentile", "nanquantile", "nanpercentile", "size", "ndim", "shape", "allclose",
    "array_equal", "trace",
)  # fmt: skip
"""What gives less than it gets."""

AS_LARGE = (
    "cumsum", "cumprod", "nancumsum", "diff", "sort", "argsort", "unique", "nonzero",
    "argwhere", "flatnonzero", "ravel", "reshape", "transpose", "swapaxes", "moveaxis",
    "squeeze", "expand_dims", "flip", "fliplr", "flipud", "roll", "isin", "searchsorted",
    "digitize", "extract", "diagonal", "tril", "triu", "array", "asarray", "atleast_1d",
    "atleast_2d", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
    "uint16", "uint32", "uint64", "bool_", "complex64", "complex128",
)  # fmt: skip
"""What gives no more than it gets, some of it in another order or form."""

KEYWORDS = frozenset((
    "a_max", "a_min", "atol", "axis", "ddof", "decimals", "density", "dtype", "equal_nan", "k",
    "keepdims", "nan", "neginf", "posinf", "q", "return_counts", "rtol", "weights",
))  # fmt: skip
"""Those that say how something is computed, and never how large it gets."""

ARRAYS = frozenset(("q", "weights"))
"""Those of them that may be arrays: they are not spread over what is computed."""

METHODS = frozenset((
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot",
    "max", "mean", "min", "nonzero", "prod", "ptp", "ravel", "repeat", "reshape", "round",
    "sort", "squeeze", "std", "sum", "trace", "transpose", "var",
))  # fmt: skip
"""What may be called on an array: the function of the same name."""

PROPERTIES = frozenset((
    "T", "dtype", "imag", "ndim", "real", "shape", "size",
))  # fmt: skip
"""What may be asked of an array."""

CONSTANTS: dict[str, Any] = {
    "pi": np.pi,
    "e": np.e,
    "inf": np.inf,
    "nan": np.nan,
    "newaxis": None,
}
"""Numbers, and what stands for a new dimension."""
