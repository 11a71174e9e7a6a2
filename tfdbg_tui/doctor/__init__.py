"""What a recording can and cannot show, and the line of code that would change that.

Knows the data engine; neither Textual nor TensorFlow.
"""
