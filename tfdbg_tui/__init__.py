"""tfdbg-tui: find the line that turned a TensorFlow program's numbers bad, in a terminal."""

__version__ = "0.1.0"

# Not typing's: the recorder brings this module into the user's program, and nothing else along.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from tfdbg_tui.library.opening import open_logdir as open_logdir
else:

    def __getattr__(name):
        """The library, imported when it is asked for: commands and the recorder need none."""
        if name != "open_logdir":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from tfdbg_tui.library.opening import open_logdir

        return open_logdir
