"""What is shown: which pane gets what, where panes stand, the words of status and titles.

Knows widgets and frozen values. Does not decide what is selected: the session does.
"""
