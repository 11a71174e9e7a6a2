"""What goes wrong in programs whose op is not to blame, or is far away."""

from __future__ import annotations

from tests.recordings.causes.program import Program, any_of

OF_PROGRAMS: tuple[Program, ...] = (
    Program(
        name="hole_in_the_table",
        module_function="sources.hole_in_the_table",
        rule="data",
        op_types=any_of("Placeholder", "Mul"),
        line_marker="hole_in_the_table",
        reach="variable",
        note=(
            "A NaN in an array of NumPy, the first argument of the third call. The argument "
            "of a function leaves no tensor: the product with it is the first bad one."
        ),
        step=3,
    ),
    Program(
        name="pipeline_of_readings",
        module_function="sources.pipeline_of_readings",
        rule="data",
        op_types=any_of("IteratorGetNext"),
        line_marker="pipeline_of_readings",
        reach="variable",
        note="An infinity in the array behind a tf.data pipeline; the line of the loop.",
        step=3,
    ),
    Program(
        name="row_of_step_seven",
        module_function="sources.row_of_step_seven",
        rule="data",
        op_types=any_of("Placeholder", "Mul"),
        line_marker="row_of_step_seven",
        reach="variable",
        note=(
            "A NaN in row 3 (from 0) of the seventh batch. The argument of a function leaves "
            "no tensor: the product with it is the first bad one."
        ),
        step=7,
    ),
    Program(
        name="nan_in_a_file",
        module_function="sources.nan_in_a_file",
        rule="data",
        op_types=any_of("DecodeCSV"),
        line_marker="nan_in_a_file",
        reach="variable",
        note=(
            "The text nan is parsed in a function of the pipeline; the parser does what it is told."
        ),
        step=3,
    ),
    Program(
        name="flat_window",
        module_function="sources.flat_window",
        rule="zero_over_zero",
        op_types=any_of("RealDiv"),
        line_marker="flat_window",
        reach=any_of("variable", "loss", "output"),
        note=(
            "A function of the pipeline divides 0 by a deviation of 0. What it hands to the "
            "training step is joined by nothing that is recorded."
        ),
        step=2,
    ),
    Program(
        name="unseen_class",
        module_function="sources.unseen_class",
        rule="constant",
        op_types=any_of("Const"),
        line_marker="unseen_class",
        reach="variable",
        note="A constant of the graph holds an inf from the beginning; step 3 gathers it.",
        step=3,
    ),
    Program(
        name="not_yet_known",
        module_function="sources.not_yet_known",
        rule=any_of("constant", "unknown"),
        op_types=any_of("Fill"),
        line_marker="not_yet_known",
        reach="variable",
        note="Eager. tf.fill with NaN is never replaced.",
        step=1,
    ),
    Program(
        name="deviation_of_one",
        module_function="sources.deviation_of_one",
        rule="constant",
        op_types=any_of("Const"),
        line_marker="deviation_of_one",
        reach="variable",
        note="A Python NaN becomes a constant in the line that uses it.",
        step=1,
    ),
    Program(
        name="scaled_by_nothing",
        module_function="sources.scaled_by_nothing",
        rule=any_of("constant", "data", "unknown"),
        op_types=any_of("Sub"),
        line_marker="scaled_by_nothing",
        reach="variable",
        note=(
            "Eager. A Python NaN leaves no record: the difference with it is the first bad "
            "tensor. abs has a slope of sign(NaN), which is NaN."
        ),
        step=1,
    ),
    Program(
        name="bad_from_the_start",
        module_function="before_recording.bad_from_the_start",
        rule="variable",
        op_types=any_of("ReadVariableOp"),
        line_marker="bad_from_the_start",
        reach="variable",
        note="The variable was NaN before the recorder was on. The line is where it is read.",
        step=1,
    ),
    Program(
        name="weights_of_colleague",
        module_function="variables.weights_of_colleague",
        rule="variable",
        op_types=any_of("AssignVariableOp", "ReadVariableOp"),
        line_marker="weights_of_colleague",
        reach="variable",
        note="Eager. An array with a NaN is assigned before the third step.",
        step=3,
    ),
    Program(
        name="spoilt_checkpoint",
        module_function="variables.spoilt_checkpoint",
        rule=any_of("variable", "data"),
        op_types=any_of("AssignVariableOp", "RestoreV2", "ReadVariableOp"),
        line_marker="spoilt_checkpoint",
        reach="variable",
        note="A NaN is restored from a checkpoint and assigned, in one line.",
    ),
    Program(
        name="initialised_with_log",
        module_function="variables.initialised_with_log",
        rule="variable",
        op_types=any_of("AssignVariableOp", "ReadVariableOp"),
        line_marker="initialised_with_log",
        reach="variable",
        note="The initial value, of NumPy, holds a NaN.",
        step=1,
    ),
    Program(
        name="forgotten_on_purpose",
        module_function="variables.forgotten_on_purpose",
        rule=any_of("variable", "constant"),
        op_types=any_of("AssignVariableOp", "Const", "ReadVariableOp"),
        line_marker="forgotten_on_purpose",
        reach="variable",
        note="A constant NaN is assigned inside a function, in a branch of AutoGraph.",
        step=3,
    ),
    Program(
        name="adam_of_huge_gradients",
        module_function="variables.adam_of_huge_gradients",
        rule="optimizer_update",
        op_types=any_of("ResourceApplyAdam"),
        line_marker="adam_of_huge_gradients",
        reach="variable",
        note=(
            "Gradients of 1e34 are finite, their squares in ResourceApplyAdam are not; NaN is "
            "read one step after the second of them."
        ),
    ),
    Program(
        name="keras_adam_by_hand",
        module_function="variables.keras_adam_by_hand",
        rule=any_of("optimizer_update", "overflow"),
        op_types=any_of("Square"),
        line_marker="keras_adam_by_hand",
        reach="variable",
        note="Eager. Keras's Adam squares finite gradients of 1e25 in an op of its own.",
        step=2,
    ),
    Program(
        name="rate_times_gradient",
        module_function="variables.rate_times_gradient",
        rule="optimizer_update",
        op_types=any_of("ResourceApplyGradientDescent"),
        line_marker="rate_times_gradient",
        reach="variable",
        note=(
            "Eager. 1e9 * 1e30 inside ResourceApplyGradientDescent; all recorded tensors of "
            "that step are finite."
        ),
        step=3,
    ),
    Program(
        name="cold_at_forty",
        module_function="stories.cold_at_forty",
        rule="division_by_zero",
        op_types=any_of("RealDiv"),
        line_marker="cold_at_forty",
        reach="variable",
        note="A temperature reaches 0 in step 40.",
        step=40,
    ),
    Program(
        name="three_calls_deep",
        module_function="stories.three_calls_deep",
        rule="zero_over_zero",
        op_types=any_of("RealDiv"),
        line_marker="three_calls_deep",
        reach="variable",
        note="0 / 0 three functions below the loss.",
        step=3,
    ),
    Program(
        name="written_over_lines",
        module_function="stories.written_over_lines",
        rule="log_of_zero",
        op_types=any_of("Log"),
        line_marker="written_over_lines",
        reach=any_of("variable", "loss"),
        note=(
            "The log of a softmax's 0, in the sixth line of a statement. AutoGraph keeps only the "
            "first line of statements."
        ),
        step=3,
    ),
    Program(
        name="metric_before_the_loss",
        module_function="stories.metric_before_the_loss",
        rule="sqrt_of_negative",
        op_types=any_of("Sqrt"),
        line_marker="metric_before_the_loss",
        reach="variable",
        note=(
            "A recall of 0/0 is NaN from step 1 and goes nowhere; the root of step 5 spoils "
            "the weight."
        ),
        step=5,
    ),
    Program(
        name="two_bugs_in_one_call",
        module_function="stories.two_bugs_in_one_call",
        rule="log_of_zero",
        op_types=any_of("Log"),
        line_marker="two_bugs_in_one_call",
        reach=any_of("variable", "loss"),
        note=(
            "In the same call the root of a negative number is reported as `margin`; it "
            "reaches nothing."
        ),
        step=3,
    ),
    Program(
        name="session_of_old",
        module_function="stories.session_of_old",
        rule="log_of_negative",
        op_types=any_of("Log"),
        line_marker="session_of_old",
        reach="variable",
        note="TF1: the log of a negative product in the third run that trains.",
        step=3,
    ),
    Program(
        name="exponential_layer",
        module_function="keras_models.exponential_layer",
        rule="overflow",
        op_types=any_of("Exp"),
        line_marker="exponential_layer",
        reach="variable",
        note="exp(100) in a stock layer.",
        step=1,
        layer="rate",
    ),
    Program(
        name="percentage_error",
        module_function="keras_models.percentage_error",
        rule="division_by_zero",
        op_types=any_of("RealDiv"),
        line_marker="percentage_error",
        reach=any_of("variable", "loss"),
        note="A lambda loss divides by a target of 0; so does its gradient.",
        step=2,
    ),
    Program(
        name="variance_of_relu",
        module_function="keras_models.variance_of_relu",
        rule="log_of_zero",
        op_types=any_of("Log"),
        line_marker="variance_of_relu",
        reach=any_of("variable", "loss"),
        note="A custom train_step takes the log of a ReLU's 0.",
        step=3,
    ),
)
