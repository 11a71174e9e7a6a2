"""What types of ops do to numbers: which make NaN or ∞ of finite ones, which only hand them on.

That is what the ops are defined to compute. Names are those of types without their versions.
"""

from __future__ import annotations

from functools import lru_cache

from tfdbg_tui.data.stores.tf_names import read_call, without_version

LOGARITHMS = {"Log": 0.0, "Log1p": -1.0}
"""Where the argument of a logarithm ends: -∞ there, NaN below."""

DIVISIONS = frozenset({"RealDiv", "Div", "FloorDiv", "TruncateDiv", "Xdivy"})
REMAINDERS = frozenset({"FloorMod", "Mod", "TruncateMod"})
RECIPROCALS = frozenset({"Reciprocal", "Inv"})
ROOTS = frozenset({"Sqrt"})
RECIPROCAL_ROOTS = frozenset({"Rsqrt"})

LOGARITHM_PRODUCTS = {"Xlogy": 0.0, "Xlog1py": -1.0}
"""Products with the logarithm of their second input, and where its argument ends."""

DOMAINS = {
    "Acos": "outside -1 … 1",
    "Acosh": "below 1",
    "Asin": "outside -1 … 1",
    "Atanh": "at or beyond -1 or 1",
    "Betainc": "outside its domain",
    "BesselK0": "at or below 0",
    "BesselK1": "at or below 0",
    "BesselY0": "at or below 0",
    "BesselY1": "at or below 0",
    "Digamma": "at 0 or a negative whole number",
    "Erfinv": "at or beyond -1 or 1",
    "Igamma": "outside its domain",
    "Igammac": "outside its domain",
    "Lgamma": "at 0 or a negative whole number",
    "Ndtri": "at or beyond 0 or 1",
    "Polygamma": "at a pole",
    "Tan": "at a pole",
    "Zeta": "at a pole",
}
"""Functions that are finite only in a part of the numbers, and where they are not."""

SINGULAR_GRADIENTS = frozenset({"SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"})
"""Gradients that are infinite where their function is 0."""

FAST_GROWING = frozenset({"Exp", "Expm1", "Sinh", "Cosh", "Cumprod", "Prod", "Pow", "Softplus"})
"""They overflow out of numbers that are not large at all."""

NORMS = frozenset({"L2Loss"})
"""They square what need not be large itself."""

SUMS_AND_PRODUCTS = frozenset(
    {
        "Add",
        "AddN",
        "AccumulateN",
        "AssignAdd",
        "AvgPool",
        "BatchMatMul",
        "BiasAdd",
        "Conv",
        "Conv2D",
    }
    | {
        "Conv2DBackpropFilter",
        "Conv2DBackpropInput",
        "Conv3D",
        "Cross",
        "Cumsum",
        "CumulativeLogsumexp",
    }
    | {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropFilter"}
    | {"DepthwiseConv2dNativeBackpropInput", "Einsum", "FusedBatchNorm", "L2Loss", "MatMul"}
    | {"Mean", "Mul", "SegmentSum", "SparseMatMul", "SparseTensorDenseMatMul", "Square"}
    | {"SquaredDifference", "Sub", "Sum", "UnsortedSegmentSum", "_FusedConv2D", "_FusedMatMul"}
    | {
        "BiasAddGrad",
        "SegmentMean",
        "SparseSegmentSum",
        "SparseSegmentMean",
        "MulNoNan",
        "DivNoNan",
    }
    | {"CudnnRNN", "LSTMBlockCell", "BlockLSTM", "GRUBlockCell", "SoftmaxCrossEntropyWithLogits"}
    | {
        "SparseSoftmaxCrossEntropyWithLogits",
        "ComplexAbs",
        "Norm",
        "ScatterAdd",
        "TensorScatterAdd",
    }
)
"""Out of finite numbers they make ∞, and NaN, only by becoming too large."""

ELEMENTWISE = frozenset({"Add", "BiasAdd", "Mul", "Square", "SquaredDifference", "Sub"})
"""Of finite numbers they never make a NaN, for nothing is added up behind an overflow."""

MOVES = frozenset(
    {"Abs", "BatchToSpaceND", "BroadcastTo", "ClipByValue", "Concat", "ConcatV2", "DepthToSpace"}
    | {"DynamicPartition", "DynamicStitch", "ExpandDims", "ExtractImagePatches", "Fill", "Gather"}
    | {"GatherNd", "Identity", "IdentityN", "LeakyRelu", "MatrixBandPart", "MatrixDiag"}
    | {"MatrixDiagPart", "MatrixSetDiag", "MaxPool", "Maximum", "Minimum", "MirrorPad", "Neg"}
    | {"Pack", "Pad", "ParallelDynamicStitch", "Relu", "Relu6", "Reshape", "ResizeNearestNeighbor"}
    | {"Reverse", "ReverseSequence", "Roll", "ScatterNd", "Select", "Sign", "Slice", "Snapshot"}
    | {"SpaceToBatchND", "SpaceToDepth", "SparseToDense", "Split", "SplitV", "Squeeze"}
    | {"StopGradient", "StridedSlice", "TensorScatterUpdate", "Tile", "TopK", "Transpose"}
    | {"Unpack", "Unique", "Where", "ResourceGather", "MergeV2Checkpoints", "Bitcast"}
)
"""What they put out are numbers that they were given, up to the sign."""

SHAPED_BY_NUMBERS = frozenset(
    {"BroadcastTo", "ExpandDims", "Gather", "GatherNd", "MirrorPad", "Reshape", "ResourceGather"}
    | {"Reverse", "Roll", "Slice", "Split", "Squeeze", "StridedSlice", "Tile", "TopK", "Transpose"}
    | {"Max", "Mean", "Min", "Prod", "Sum", "Cumsum", "Cumprod"}
)
"""What is behind their first input are whole numbers that say which elements, and what shape."""

EXTREMES = frozenset({"Max", "Min", "SegmentMax", "SegmentMin"})
"""They hand one of many numbers on; of nothing they make ∞."""

MEANS = frozenset({"Mean", "SegmentMean"})

SOFTMAXES = frozenset(
    {"Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits"}
    | {"SparseSoftmaxCrossEntropyWithLogits", "SparseSoftmax"}
)

_ALWAYS_REAL = frozenset(
    {"BiasAdd", "Conv2D", "DepthwiseConv2dNative", "FusedBatchNorm", "L2Loss", "LeakyRelu", "Relu"}
    | {"Elu", "Selu", "Sigmoid", "Tanh", "SqrtGrad", "ReluGrad", "TanhGrad", "SigmoidGrad"}
)

TESTS = frozenset(
    {"ApproximateEqual", "ArgMax", "ArgMin", "CheckNumerics", "Equal", "Greater", "GreaterEqual"}
    | {"IsFinite", "IsInf", "IsNan", "Less", "LessEqual", "NotEqual", "Shape", "ShapeN", "Size"}
    | {"Rank", "ZerosLike", "OnesLike", "InTopK", "LogicalNot", "BroadcastGradientArgs"}
)
"""They only look at numbers: nothing of a NaN or ∞ is in what they put out."""

FINITE_TESTS = frozenset({"IsFinite", "IsInf", "IsNan"})

SHOWS = frozenset(
    {"AsString", "EagerPyFunc", "HistogramSummary", "Print", "PrintV2", "PyFunc"}
    | {"PyFuncStateless", "ScalarSummary", "StringFormat", "WriteHistogramSummary"}
    | {"WriteScalarSummary", "WriteSummary"}
)
"""They show numbers to somebody, or hand them to Python."""

CHOOSERS = frozenset({"Select", "Maximum", "Minimum", "MulNoNan", "DivNoNan", "ClipByValue"})
"""With them a program takes out numbers that it does not want."""


LIMITS = frozenset(
    {"Exp", "Softmax", "LogSoftmax", "RealDiv", "Div", "Reciprocal", "Inv", "Rsqrt", "Pow"}
    | {"Sigmoid", "Tanh", "Relu", "Relu6", "Elu", "Selu", "Softplus", "Softsign", "Erf", "Erfc"}
    | {"Atan", "Atan2", "Max", "Min", "SegmentMax", "SegmentMin", "UnsortedSegmentMax"}
    | {"UnsortedSegmentMin", "MaxPool", "TopK", "Cummax", "Cummin", "CumulativeLogsumexp"}
)
"""They are finite at ∞, and right there: exp(-∞) and 1 / ∞ are 0, a sigmoid is 1, the largest of
many numbers is none that is -∞. A NaN stays one in them, so what they put out clean took none."""


def plain(op_type: str) -> str:
    """An op type without its version; `AddV2` is `Add`."""
    return without_version(op_type)


def only_hands_on(op_type: str) -> bool:
    """Whether an op can put out NaN or ∞ only if it was given some."""
    return plain(op_type) in MOVES or op_type in MOVES


def needs_large_numbers(op_type: str) -> bool:
    """Whether an op can make ∞ or NaN of finite numbers only where they are too large."""
    return plain(op_type) in SUMS_AND_PRODUCTS


@lru_cache(maxsize=4096)  # it is asked again and again for the few types of a program
def is_float_op(op_type: str) -> bool:
    """Whether an op puts out real numbers, which all modes that tell NaN and ∞ record."""
    name = plain(op_type)
    known = (LOGARITHMS, LOGARITHM_PRODUCTS, DOMAINS, DIVISIONS, RECIPROCALS, ROOTS)
    return (
        read_call(op_type) is not None
        or name in FAST_GROWING | SOFTMAXES | RECIPROCAL_ROOTS | _ALWAYS_REAL
        or any(name in table for table in known)
    )


def tests_only(op_type: str) -> bool:
    """Whether nothing of the numbers that an op is given is in what it puts out."""
    return plain(op_type) in TESTS
