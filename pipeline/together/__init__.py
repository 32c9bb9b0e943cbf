"""The joint pass: readings of entries that came together are compared, and misread words of some are respelled.

`decide` is its entry; nothing here reads a page, a database or a clock (ADR 24).
"""
