"""The commands that people type: behind `:` in the app, and behind `tfdbg-tui query` without it.

One table defines them; parsing, help, completion and the README follow from it. A command is a
generator that pauses now and then, and ends in a frozen result, of which the app makes a page and
`query` makes text. Knows the data, the doctor and the verdict; draws nothing.
"""
