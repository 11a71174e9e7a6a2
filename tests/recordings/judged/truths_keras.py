"""The truth of the broken Keras programs."""

from __future__ import annotations

from tests.recordings.judged.truth import ARITHMETIC, broken

LAYERS = (
    broken(
        "keras_layers.house_prices",
        "explosion overflow",
        ARITHMETIC,
        "loss variable",
        "the learning rate is far too high for inputs in the thousands",
    ),
    broken(
        "keras_layers.sensor_sentinel",
        "overflow explosion",
        "Square MatMul",
        "loss variable",
        "1e30 stands for a missing reading; squares of it overflow in the loss and the gradients",
    ),
    broken(
        "keras_layers.log_counts",
        "log_of_zero",
        "Log",
        "variable",
        "a Lambda layer takes the log of counts, some of which are 0",
    ),
    broken(
        "keras_layers.constant_rows",
        "rsqrt_of_zero",
        "Rsqrt",
        "variable",
        "LayerNormalization(epsilon=0) of rows that are constant",
        layer="norm",
    ),
    broken(
        "keras_layers.unit_vectors",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "a custom layer divides a row of zeros by its norm",
    ),
    broken(
        "keras_layers.constant_column",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "batch normalisation by hand: a column without variance in the third batch",
    ),
    broken(
        "keras_layers.nan_feature",
        "data",
        "",
        "variable",
        "a NaN in x, in the second batch",
    ),
    broken(
        "keras_layers.nan_target",
        "data",
        "",
        "variable loss",
        "a NaN in y, in the last batch",
    ),
    broken(
        "keras_layers.inverse_variance_weights",
        "data",
        "",
        "variable",
        "an infinity in sample_weight",
    ),
    broken(
        "keras_layers.empty_document",
        "zero_over_zero mean_of_empty",
        "RealDiv",
        "variable",
        "a mean over the words of a text without words, behind Embedding and GRU",
    ),
    broken(
        "keras_layers.relu_lstm",
        "overflow explosion",
        ARITHMETIC,
        "variable",
        "an LSTM with relu grows from place to place of a long series, in a loop in the graph",
        layer="memory",
    ),
)

LOSSES = (
    broken(
        "keras_losses.percentage_error",
        "division_by_zero",
        "RealDiv",
        "variable",
        "a loss divides by targets of which one is 0",
    ),
    broken(
        "keras_losses.euclidean_padding",
        "gradient_at_singularity",
        "SqrtGrad",
        "variable",
        "the gradient of a square root at 0: rows of padding are predicted exactly",
    ),
    broken(
        "keras_losses.pixel_cross_entropy",
        "log_of_zero",
        "Log",
        "variable",
        "a cross entropy by hand, of a softmax that is saturated",
    ),
    broken(
        "keras_losses.negative_msle",
        "log_of_negative",
        "Log",
        "variable",
        "log(1 + prediction) where predictions are below -1",
    ),
    broken(
        "keras_losses.two_heads",
        "log_of_zero",
        "Log",
        "variable",
        "one of two outputs is a rate that relu makes 0; its loss takes the log",
    ),
    broken(
        "keras_losses.sparse_autoencoder",
        "division_by_zero",
        "RealDiv",
        "variable",
        "an activity regulariser divides by the mean of units that never fire",
    ),
    broken(
        "keras_losses.f1_metric",
        "zero_over_zero",
        "RealDiv",
        "output variable",
        "only a metric is NaN: loss and weights stay finite, the metric's own variables do not",
    ),
    broken(
        "keras_losses.counted_in_molecules",
        "overflow optimizer_update explosion",
        "Square",
        "variable",
        "gradients of 1e23 are squared by Adam; one step later its moments are NaN",
    ),
)

STEPS = (
    broken(
        "train_steps.vae",
        "overflow",
        "Exp",
        "variable",
        "exp of a log-variance above 89, by an outlier in the fourth batch",
    ),
    broken(
        "train_steps.gan",
        "log_of_zero",
        "Log",
        "variable",
        "the critic is so sure that its sigmoid is 0; the generator's loss takes the log",
    ),
    broken(
        "train_steps.unit_gradients",
        "zero_over_zero",
        "RealDiv",
        "variable",
        "gradients are divided by their norm, which is 0 behind a head of zeros",
    ),
    broken(
        "train_steps.elastic_weights",
        "gradient_at_singularity",
        "SqrtGrad",
        "variable",
        "the gradient of a norm at 0, in the first step: the weights have not moved yet",
    ),
)

KERAS = (*LAYERS, *LOSSES, *STEPS)
