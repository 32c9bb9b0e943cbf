"""Operations over many entries: changes of a field, and readings to compare. Nothing changes unseen."""
