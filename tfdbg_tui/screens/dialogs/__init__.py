"""What lies over the panes for a while: lists to choose from, the help, the doctor's findings.

Knows widgets and what it is handed; gives back what was chosen.
"""
