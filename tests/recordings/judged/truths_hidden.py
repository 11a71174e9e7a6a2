"""The truth of the programs whose numbers go ways that are not recorded, or are right at ∞."""

from __future__ import annotations

from tests.recordings.judged.truth import broken, healthy

HIDDEN = (
    broken("hidden_ways.angle_by_keras_optimizer", "domain", "Acos", "variable", "acos above 1"),
    broken("hidden_ways.two_sided_logs", "log_of_zero", "Log", "variable", "a sigmoid saturates"),
    broken(
        "hidden_ways.logs_of_a_table",
        "log_of_zero",
        "Log",
        "variable",
        "one zero in the table, logged by the dataset",
    ),
    broken(
        "hidden_ways.determinant_of_a_flow",
        "log_of_zero",
        "Log",
        "variable",
        "a singular matrix: its gradient is NaN, which is written",
    ),
    broken(
        "hidden_ways.likelihood_of_all",
        "log_of_zero",
        "Log",
        "variable",
        "a product underflows in another function",
    ),
    broken(
        "hidden_ways.units_of_length",
        "overflow",
        "Mul",
        "variable",
        "1e20 times 1e25 in the gradient alone",
    ),
    broken(
        "hidden_ways.jacobian_of_roots",
        "gradient_at_singularity",
        "SqrtGrad RealDiv Mul",
        "variable",
        "the slope of a root at 0",
    ),
    broken(
        "hidden_ways.weights_of_a_colleague",
        "variable",
        "AssignVariableOp",
        "variable",
        "NaN is assigned by set_weights",
    ),
    broken(
        "hidden_ways.correlation_beside_the_tape",
        "zero_over_zero",
        "RealDiv",
        "output",
        "a constant has no correlation; nothing trains on it",
    ),
    broken(
        "hidden_ways.generalised_mean",
        "gradient_at_singularity",
        "Pow",
        "variable",
        "the slope of a fractional power at 0",
    ),
    broken(
        "hidden_ways.spread_of_a_batch",
        "gradient_at_singularity",
        "SqrtGrad",
        "variable",
        "the slope of a deviation of 0",
        layer="spread",
    ),
    broken(
        "hidden_ways.temperature_in_half",
        "half_overflow",
        "RealDiv",
        "loss",
        "a half precision division, in a function of a step that is traced twice",
    ),
    healthy("healthy_limits.nearest_prototypes", "a minimum begins at inf", on_purpose=True),
    healthy("healthy_limits.hidden_states", "exp(-inf) is 0", on_purpose=True),
    healthy("healthy_limits.sigmoid_by_hand", "1 / inf is 0", on_purpose=True),
    healthy("healthy_limits.shortest_ways", "the smallest is finite", on_purpose=True),
    healthy("healthy_limits.best_path", "the largest is finite", on_purpose=True),
)
