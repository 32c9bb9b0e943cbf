"""The part of every prompt that describes the form of the reply."""

REPLY_FORMAT = """\
Reply with one JSON object and nothing else: no prose, no code fence. It must fit this JSON schema:
{schema}"""

REPAIR = """\
Your reply does not fit the schema: {faults}. Reply again with the corrected JSON object alone."""
