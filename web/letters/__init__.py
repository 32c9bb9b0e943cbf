"""Pages of letters: what is missing is asked for, answers are entered, what letters say is changed."""

from flask import Blueprint

blueprint = Blueprint("letters", __name__)

from web.letters import answers, ask, pages, texts  # noqa: E402,F401
