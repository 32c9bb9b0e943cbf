"""Parsers of uploaded files, run in child processes with limits of memory, time and output.

`@confined` marks a function whose calls run in a child; `children.one_child` makes several calls of one child. A
child is forked by the nursery, a process of this program that has imported the parsers and parsed nothing, and is
kept for later calls. Within a child, confined functions run directly.
"""
