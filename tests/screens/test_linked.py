from __future__ import annotations
import time
from tests.screens.driving import opened


async def test_try(frozen):
    t = time.time()
    async with opened(frozen, size=(80,24)) as driven:
        print("open", time.time() - t)
        driven.app.paint()
        await driven.settle()
        for key in "!nnee453zz":
            t = time.time()
            await driven.press(key)
            print(key, time.time() - t)
            t = time.time()
            print(driven.app.stale_lines(), time.time()-t)
        print("\n".join(driven.lines()))
        print("\n".join(driven.app.terminal.lines()))
