"""Keeps XLA from what is recorded: it cannot compile the recorder's ops, and the program fails.

Whether a function is to be compiled is asked of the function itself, by an attribute that
`tf.function` gave it. So the answer is changed there, while this thread is recorded, and nothing
else: functions that were decorated before are reached, those that are traced afterwards are
compiled again, and what Keras keeps and saves of a model stays as it is.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.abc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tfdbg_tui.record.recorder import Recorder

ATTRIBUTE = "_jit_compile"
"""What TensorFlow asks of a function."""

OFF = "XLA, which is off while recording (--jit or jit=True keeps it)."
"""How each sentence ends."""

OWN_FOLDER = str(Path(__file__).parent)
GENERATED = "__autograph_generated_file"
"""Part of the names of files that hold AutoGraph's copies of functions."""

KERAS = ("keras", "tf_keras")
"""Packages that ask for XLA by themselves."""

CHOOSE = frozenset({"trainer.py", "training.py", "optimizer.py"})
"""Their files that do so to be fast. Others have an op that runs in no other way: a convolution
in groups on a CPU. That is compiled even so, and nothing inside it is noted."""

MODELS = {
    "keras.src.trainers.trainer": "Trainer",
    "tf_keras.src.engine.training": "Model",
}
"""Where Keras defines `compile`: the modules, and the class in each."""


class Line(NamedTuple):
    """A line of a program."""

    file: str
    number: int

    def __str__(self) -> str:
        with contextlib.suppress(OSError, ValueError):  # the folder may be gone, or another disk
            inside = os.path.relpath(self.file)
            if not inside.startswith(os.pardir):
                return f"{inside}:{self.number}"
        return f"{self.file}:{self.number}"


class JitOption:
    """The attribute, of all functions: what each asks for, or nothing where it is recorded."""

    def __init__(self) -> None:
        self.recorders: list[Recorder] = []
        """Those under which nothing is compiled."""
        self._lines: WeakKeyDictionary[Any, Line | None] = WeakKeyDictionary()
        """The lines that made functions which ask for XLA."""
        self._told: set[str] = set()
        self._keras_was_told = False

    def __get__(self, function: Any, kind: type | None = None) -> Any:
        if function is None:
            return self
        asked = function.__dict__.get(ATTRIBUTE)
        if not asked or _was_compiled(function) or not self.is_off():
            return asked
        line = self._lines.get(function) or defining_line(function)
        if line is None or not is_inside(line.file, KERAS):
            self._tell(f"{line or 'a function'} asks for")
        elif Path(line.file).name not in CHOOSE:
            return asked
        elif not self._keras_was_told:
            self._tell("Keras chooses")
        return None

    def __set__(self, function: Any, asked: object) -> None:
        function.__dict__[ATTRIBUTE] = asked
        if asked:
            self._lines[function] = line_outside("tensorflow")

    def is_off(self) -> bool:
        """Whether what this thread traces is recorded, and not to be compiled."""
        from tensorflow.python.eager import context

        callbacks = context.context().op_callbacks
        return any(recorder.callback in callbacks for recorder in self.recorders)

    def tell_of_model(self) -> None:
        """Say that a model is not compiled with XLA, and which line asks for it."""
        self._keras_was_told = True
        self._tell(f"{line_outside('tensorflow', *KERAS) or 'a model'} asks for")

    def _tell(self, who: str) -> None:
        """Say that XLA is off, once for each line that would have it."""
        if who in self._told:
            return
        self._told.add(who)
        with contextlib.suppress(AttributeError, OSError, ValueError):  # there may be no stderr
            sys.stderr.write(f"tfdbg-tui: {who} {OFF}\n")


def choose(recorder: Recorder, jit: bool) -> None:
    """Have what a recorder records compiled, where the program asks for it, or not at all."""
    option = _option()
    if recorder in option.recorders:
        option.recorders.remove(recorder)
    if not jit:
        option.recorders.append(recorder)


def _option() -> JitOption:
    """The attribute of all functions, put in its place when it is first asked for."""
    import tensorflow as tf

    kind = type(tf.function(lambda: None))
    option = kind.__dict__.get(ATTRIBUTE)
    if not isinstance(option, JitOption):
        option = JitOption()
        setattr(kind, ATTRIBUTE, option)
        KerasWatch(option).start()
        _keep_noted_functions_out()
        _trace_arguments_too(kind)
    return option


def _was_compiled(function: Any) -> bool:
    """Whether a function was traced to be compiled before it was recorded: so it will remain."""
    options = function.__dict__.get("_variable_creation_config")
    return options is not None and bool((options.attributes or {}).get("_XlaMustCompile"))


def _keep_noted_functions_out() -> None:
    """Have functions that a compiled one calls traced anew for it, without the recorder's ops."""
    from tensorflow.python.eager import context
    from tensorflow.python.ops.control_flow_ops import XLAControlFlowContext

    def is_recorded(self: object) -> bool:
        return bool(context.context().op_callbacks)

    XLAControlFlowContext.RequiresUniqueFunctionRetracing = is_recorded


def _trace_arguments_too(kind: Any) -> None:
    """Have `get_concrete_function` tell that it traces what is to be compiled, as a call does."""
    trace = kind._get_concrete_function_garbage_collected
    in_context = sys.modules[kind.__module__].OptionalXlaContext

    def trace_in_context(function: Any, *arguments: object, **options: object) -> object:
        with in_context(getattr(function, ATTRIBUTE)):
            return trace(function, *arguments, **options)

    kind._get_concrete_function_garbage_collected = trace_in_context


class KerasWatch(importlib.abc.MetaPathFinder):
    """Waits until Keras is imported, without importing it, to learn which line asks it for XLA."""

    def __init__(self, option: JitOption) -> None:
        self._option = option
        self._missing = dict(MODELS)

    def start(self) -> None:
        """Look now, and whenever something is imported: Keras may be half imported by now."""
        self._look()
        if self._missing:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Finds nothing, but sees that something is imported."""
        self._look()

    def _look(self) -> None:
        for module, name in list(self._missing.items()):
            model = getattr(sys.modules.get(module), name, None)
            if model is not None and self._missing.pop(module, ""):
                self._listen(model, sys.modules[module])

    def _listen(self, model: Any, module: ModuleType) -> None:
        """Learn of each model that is compiled at the wish of the program."""
        option, compile_model = self._option, model.compile

        @functools.wraps(compile_model)
        def compile_and_tell(self: object, *arguments: object, **options: object) -> object:
            asks = options.get("jit_compile") in (True, 1) and runs_on_tensorflow(module)
            if asks and option.is_off():
                option.tell_of_model()
            return compile_model(self, *arguments, **options)

        model.compile = compile_and_tell


def runs_on_tensorflow(module: ModuleType) -> bool:
    """Whether Keras computes by TensorFlow; it could be JAX, which nobody records."""
    backend: Any = getattr(module, "backend", None)
    return not hasattr(backend, "backend") or bool(backend.backend() == "tensorflow")


# Lines of the program.


def line_outside(*packages: str) -> Line | None:
    """The innermost line that runs now and belongs to none of some packages, nor to us."""
    from tensorflow.python.util import tf_stack

    # TensorFlow's own way to look: it knows which lines AutoGraph's copies come from.
    for frame in reversed(list(tf_stack.extract_stack())):
        if not (GENERATED in frame.filename or is_inside(frame.filename, packages)):
            return Line(frame.filename, frame.lineno)
    return None


def defining_line(function: Any) -> Line | None:
    """The line that a `tf.function` is defined at, with its decorators."""
    from tensorflow.python.util import tf_decorator

    defined = tf_decorator.unwrap(function._python_function)[1]
    code = getattr(defined, "__code__", None)
    return None if code is None else Line(code.co_filename, code.co_firstlineno)


def is_inside(file: str, packages: Sequence[str]) -> bool:
    """Whether a file belongs to one of some packages, or to this one."""
    files = (getattr(sys.modules.get(name), "__file__", None) for name in packages)
    folders = [OWN_FOLDER, *(str(Path(path).parent) for path in files if path)]
    return file.startswith(tuple(folder + os.sep for folder in folders))
