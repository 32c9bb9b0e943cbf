"""The LangChain callback handler of a run: its model calls go to the usage ledger."""

from core.llm.chat import LedgerHandler


class OrchestratorLoggingHandler(LedgerHandler):
    """Writes the tokens and latency of each model call of one graph run; the only writer of ledger rows.

    Pass one a run as `graph.invoke(state, {"callbacks": [OrchestratorLoggingHandler(ledger)], …})`. Steps are
    not logged from here: `on_chain_end` fires for every nested runnable, so the nodes log themselves.
    """
