"""The healthy programs: what is infinite or NaN in them is so on purpose."""

from __future__ import annotations

from tests.recordings.judged.truth import healthy

HEALTHY = (
    healthy("healthy_masks.additive_mask", "a constant of 0 and -inf before a softmax", True),
    healthy("healthy_masks.masked_pooling", "-inf by where, before softmax and maximum", True),
    healthy("healthy_masks.log_mask", "-inf by log of 0, before a softmax", True),
    healthy("healthy_masks.nan_default", "NaN by where, asked for and replaced", True),
    healthy("healthy_masks.missing_labels", "NaN in the data, masked before use", True),
    healthy("healthy_masks.beam_search", "scores begin at -inf, top_k leaves them behind", True),
    healthy("healthy_masks.safe_log", "a log guarded before and behind: nothing is bad"),
    healthy("healthy_bounds.best_loss", "a variable begins at inf, a minimum in the graph", True),
    healthy("healthy_bounds.best_loss_eagerly", "a minimum begins at inf, op by op", True),
    healthy("healthy_bounds.running_range", "variables begin at inf and -inf", True),
    healthy("healthy_bounds.moving_average", "a variable is NaN until it has a value", True),
    healthy("healthy_bounds.online_softmax", "a maximum from -inf on, in a loop; exp is 0", True),
    healthy("healthy_bounds.shortest_paths", "distances of inf, and minima of sums", True),
    healthy("healthy_bounds.one_sided_bounds", "a clip and classes bounded by inf", True),
    healthy("healthy_bounds.early_stopping", "the infinity is in Python only"),
    healthy("healthy_scaling.keras_loss_scaling", "Keras skips steps that overflow", True),
    healthy("healthy_scaling.scaling_in_graph", "a cond skips steps that overflow", True),
    healthy("healthy_scaling.scaling_eagerly", "an if skips steps that overflow", True),
    healthy("healthy_training.batch_normalisation", "a constant column, with an epsilon"),
    healthy("healthy_training.convnet", "a pipeline and a convnet"),
    healthy("healthy_training.sentiment", "embedding and LSTM with a mask, clipped by norm"),
    healthy("healthy_training.zero_gradients", "gradients of zero, clipped by norm"),
    healthy("healthy_training.evaluated_only", "evaluated and applied, never trained"),
    healthy("healthy_training.tf1_classifier", "a session with momentum"),
    healthy("healthy_training.tf1_best", "a session with a variable that begins at inf", True),
)
