"""`python -m tfdbg_tui`."""

import sys

if not getattr(sys.flags, "safe_path", False):
    # Python looks first where we are called, for us too: a `json.py` there is none of ours.
    sys.path.append(sys.path.pop(0))

from tfdbg_tui.cli import main

sys.exit(main())
