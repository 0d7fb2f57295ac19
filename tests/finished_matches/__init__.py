"""Finished matches as files: what a later change of the rules must not play otherwise.

``python -m local servers -- python -m tests.finished_matches [NAME…]`` plays the matches of ``plans`` anew through the
server's own code, in a database of its own, and writes them to ``tests/finished``: all of them, or those named. A file
there is a promise kept for the rules version that it names. It is recorded once, and again only before a release has
played by that version; afterwards a new version gets matches of its own beside it.
"""
