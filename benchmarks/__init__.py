"""Side by side with TensorFlow's own reader, in one run on one machine."""
