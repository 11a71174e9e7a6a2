"""`python -m tfdbg_tui`."""

import sys

from tfdbg_tui.cli import main

sys.exit(main())
