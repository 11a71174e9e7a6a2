"""The truth of the broken programs with loops of their own, and of those with sessions."""

from __future__ import annotations

from tests.recordings.judged.truth import ARITHMETIC, broken

FUNCTIONS = (
    broken(
        "loops.gradient_accumulation",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "a sum of gradients over a number of samples, where all samples were padding",
    ),
    broken(
        "loops.policy_entropy",
        "log_of_zero gradient_at_singularity",
        "Log Mul Reciprocal",
        "variable",
        "the trap of where: forward it hides the log of 0, backward 0 * inf is NaN",
    ),
    broken(
        "loops.no_boxes",
        "mean_of_empty",
        "Mean",
        "loss",
        "the mean of nothing; the loss is NaN for a step, no gradient comes of it",
    ),
    broken(
        "loops.naive_likelihood",
        "log_of_zero",
        "Log",
        "variable",
        "a product of 80 probabilities underflows, two functions away from its log",
    ),
    broken(
        "loops.naive_variance",
        "sqrt_of_negative",
        "Sqrt",
        "variable",
        "mean of squares less square of mean is negative by cancellation",
    ),
    broken(
        "loops.turning_angle",
        "domain",
        "Acos",
        "variable",
        "acos of numbers above 1",
    ),
    broken(
        "loops.gamma_correction",
        "pow_domain",
        "Pow",
        "variable",
        "a power of negative numbers",
    ),
    broken(
        "loops.distillation",
        "log_of_zero",
        "Log",
        "loss",
        "log of a label that is 0: the loss of one step is NaN, the gradient stays finite",
    ),
    broken(
        "loops.blank_picture",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "the cosine of a vector of zeros, inside a function inside a function",
    ),
    broken(
        "loops.annealed_temperature",
        "division_by_zero",
        "RealDiv",
        "variable",
        "logits are divided by a temperature that is 0 from step 25 on",
    ),
)

EAGER = (
    broken(
        "eager_loops.log_partition",
        "overflow",
        "Exp",
        "variable",
        "exp of energies above 89",
    ),
    broken(
        "eager_loops.strayed_norm",
        "gradient_at_singularity",
        "SqrtGrad",
        "variable",
        "the gradient of a norm at 0, from an eager tape",
    ),
    broken(
        "eager_loops.averaged_checkpoint",
        "variable constant data",
        "",
        "variable",
        "an array that holds NaN is assigned to a variable, after five good steps",
    ),
    broken(
        "eager_loops.blank_tile",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "a map of tf.data divides a constant tile by its deviation",
    ),
    broken(
        "eager_loops.global_norm",
        "overflow",
        "L2Loss",
        "variable",
        "clip_by_global_norm squares gradients of 1e21",
    ),
    broken(
        "eager_loops.singular_covariance",
        "log_of_zero domain unknown",
        "LogMatrixDeterminant",
        "output",
        "the log of the determinant of a singular matrix",
    ),
)

MASKS = (
    broken(
        "attention.padded_sentence",
        "softmax_of_inf",
        "Softmax",
        "variable",
        "a softmax over nothing but -inf: a sentence of padding only",
    ),
    broken(
        "attention.mask_by_product",
        "zero_times_inf",
        "Mul",
        "variable",
        "a mask is made by a product with -inf, which is NaN where the mask is 0",
    ),
    broken(
        "attention.nobody_in_range",
        "constant mean_of_empty",
        "",
        "variable",
        "-inf is made on purpose, but the maximum over nothing hands it on to the weights",
    ),
)

HALF = (
    broken(
        "half.half_activations",
        "half_overflow",
        "MatMul",
        "variable",
        "a product of large inputs in a layer of float16",
        layer="wide",
    ),
    broken(
        "half.half_gradients",
        "half_overflow",
        "MatMul BiasAddGrad",
        "variable",
        "gradients of a layer of float16, summed over a batch",
        layer="hidden",
    ),
    broken(
        "half.half_sum_of_squares",
        "half_overflow",
        "Sum",
        "loss",
        "a sum of squares in float16; the gradient of an absolute value stays finite",
    ),
)

SESSIONS = (
    broken(
        "sessions.tf1_textbook",
        "log_of_zero",
        "Log",
        "variable",
        "a cross entropy by hand, of a softmax that is saturated",
    ),
    broken(
        "sessions.tf1_empty_batch",
        "zero_over_zero mean_of_empty",
        "RealDiv",
        "variable",
        "a weighted mean whose weights are all 0",
    ),
    broken(
        "sessions.tf1_same_pair",
        "gradient_at_singularity",
        "SqrtGrad",
        "variable",
        "the gradient of a distance of 0",
    ),
    broken(
        "sessions.tf1_regression",
        "explosion overflow",
        ARITHMETIC,
        "loss variable",
        "the learning rate is far too high",
    ),
    broken(
        "sessions.tf1_fed_nan",
        "data",
        "",
        "variable",
        "a NaN is fed",
    ),
    broken(
        "sessions.tf1_molecules",
        "optimizer_update",
        "ResourceApplyAdam",
        "variable",
        "gradients of 1e23 are squared inside the op of Adam; all that is recorded is finite",
    ),
)

LOOPS = (*FUNCTIONS, *EAGER, *MASKS, *HALF, *SESSIONS)
