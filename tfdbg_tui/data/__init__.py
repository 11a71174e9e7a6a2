"""The data engine: a growing tfdbg2 logdir as columns and answers.

Knows numpy, protobuf, watchdog and the standard library. It must not know Textual, Rich or
TensorFlow (a test keeps that wall).
"""
