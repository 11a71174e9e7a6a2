"""Which recorded paths are the user's own code."""

from __future__ import annotations

import contextlib
import sysconfig
from pathlib import Path

import pytest

import tfdbg_tui
from tfdbg_tui.data.stores.user_code import is_user_file

SITE = "site-packages"

USER = [
    "/home/me/train.py",
    "/home/me/project/src/model/layers.py",
    "train.py",
    "./src/train.py",
    "/srv/it's a folder/mit Umlaut ü/train.py",
    "C:\\Users\\me\\project\\train.py",
    "D:/project/train.py",
    "\\\\server\\share\\train.py",
    "<stdin>",
    "<string>",
    "<ipython-input-3-0a1b2c3d4e5f>",
    "/tmp/ipykernel_4242/1234567890.py",
    "C:\\Users\\me\\AppData\\Local\\Temp\\ipykernel_42\\123.py",
    # Folders that only look like a library, or like us.
    "/home/me/record.py",
    "/home/me/record/enable.py",
    "/home/me/tfdbg_tui/train.py",
    "/home/me/program/recorded_main.py",
    "/home/me/tensorflow/train.py",
    "/home/me/tensorflow/models/train.py",
    "/home/me/keras/train.py",
    "/home/me/keras/examples/mnist.py",
    f"/home/me/my-{SITE}/train.py",
    "/home/me/lib/train.py",
    "/home/me/lib/pythonic/train.py",
    "/home/me/python/train.py",
    "/home/me/python/lib/train.py",
    "/home/me/python3/train.py",
    "/home/me/autograph/train.py",
    "/home/me/frozen lake/train.py",
    "/usr/local/src/train.py",
    "/opt/conda/train.py",
]

LIBRARY = [
    # POSIX: system, local build, Debian, user site, virtual environment.
    "/usr/lib/python3.11/threading.py",
    "/usr/lib64/python3.9/contextlib.py",
    "/usr/local/lib/python3.12/runpy.py",
    "/usr/lib/python3/dist-packages/numpy/core/numeric.py",
    "/usr/local/lib/python3.10/dist-packages/tensorflow/python/ops/math_ops.py",
    f"/home/me/.local/lib/python3.11/{SITE}/keras/src/trainers/trainer.py",
    f"/home/me/venv/lib/python3.11/{SITE}/tensorflow/python/eager/def_function.py",
    f"/home/me/venv/lib64/python3.11/{SITE}/tf_keras/src/engine/training.py",
    # conda, pyenv, uv, Homebrew, Nix.
    "/opt/conda/lib/python3.11/functools.py",
    "/home/me/miniconda3/envs/tf/lib/python3.10/threading.py",
    "/home/me/.pyenv/versions/3.11.4/lib/python3.11/runpy.py",
    "/home/me/.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu/lib/python3.12/runpy.py",
    "/opt/homebrew/Cellar/python@3.11/3.11.6/Frameworks/Python.framework/Versions/3.11"
    "/lib/python3.11/threading.py",
    "/nix/store/abc-python3-3.11.6/lib/python3.11/threading.py",
    # Windows.
    "C:\\Users\\me\\AppData\\Local\\Programs\\Python\\Python311\\Lib\\threading.py",
    "C:\\Python310\\lib\\runpy.py",
    "C:\\project\\venv\\Lib\\site-packages\\tensorflow\\python\\ops\\nn_ops.py",
    "C:\\Users\\me\\miniconda3\\Lib\\threading.py",
    "C:\\ProgramData\\Anaconda3\\envs\\tf\\Lib\\contextlib.py",
    "C:\\Users\\me\\.pyenv\\pyenv-win\\versions\\3.11.4\\Lib\\runpy.py",
    # Installed for a notebook.
    "/usr/local/lib/python3.10/dist-packages/IPython/core/interactiveshell.py",
    # Built from source.
    "/build/tensorflow/tensorflow/python/framework/ops.py",
    "/build/keras/keras/src/layers/layer.py",
    # Not files of anybody.
    "<frozen runpy>",
    "<frozen importlib._bootstrap>",
    "<__array_function__ internals>",
    "/tmp/__autograph_generated_filew3k2_1x9.py",
    "C:\\Users\\me\\AppData\\Local\\Temp\\__autograph_generated_fileab12.py",
    "__autograph_generated_fileab12.py",
]


PACKAGE = Path(tfdbg_tui.__file__).parent

RECORDER = [
    *sorted(PACKAGE.glob("record/*.py")),
    *sorted(PACKAGE.glob("program/at_start/*.py")),
    PACKAGE / "program" / "recorded_main.py",
    # Their names until they got rooms of their own: recordings outlive them.
    PACKAGE / "record.py",
    PACKAGE / "under_recorder.py",
]
"""What runs and records the user's script, and may stand in any stack."""


@pytest.mark.parametrize("path", RECORDER, ids=lambda path: path.name)
@pytest.mark.parametrize("folder", ["/src/tfdbg-tui", "C:/src"])
def test_the_recorder_is_not_the_users(path: Path, folder: str) -> None:
    named = Path(folder) / path.relative_to(PACKAGE.parent)
    assert not is_user_file(str(named))
    assert not is_user_file(str(named).replace("/", "\\"))


def test_the_recorder_has_files() -> None:
    assert {"__init__.py", "tf_internals.py", "flushing.py", "sitecustomize.py"} <= {
        path.name for path in RECORDER
    }


@pytest.mark.parametrize("path", USER)
def test_code_of_the_user(path: str) -> None:
    assert is_user_file(path)


@pytest.mark.parametrize("path", LIBRARY)
def test_code_of_others(path: str) -> None:
    assert not is_user_file(path)


def test_this_interpreters_own_library_is_not_the_users() -> None:
    assert not is_user_file(contextlib.__file__)
    assert not is_user_file(pytest.__file__)
    assert not is_user_file(str(Path(sysconfig.get_path("stdlib")) / "threading.py"))
    assert is_user_file(__file__)
