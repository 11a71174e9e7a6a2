"""Real tfdbg2 recordings for the tests, and what TensorFlow's own protos say about them."""
