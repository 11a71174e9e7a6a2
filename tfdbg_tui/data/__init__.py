"""The engine, in seven storeys: views > search, live > index > stores > records > files.

Knows numpy, protobuf and watchdog; never Textual, rich or TensorFlow, nor any other room of
the package but `sanitise` and `words`. Imports go down only (`lint-imports` checks it).
"""
