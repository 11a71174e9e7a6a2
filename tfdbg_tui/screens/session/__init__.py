"""What a key means: where the user is, which run, what is sought, what is followed.

Knows the data engine; no Textual and no widget, so that its tests need no app.
"""
