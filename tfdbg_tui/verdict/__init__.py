"""What `check` says of a logdir: the verdict as frozen values, and as text for people.

Knows the data engine and `sanitise`; neither Textual nor TensorFlow, nor how it is printed.
"""
