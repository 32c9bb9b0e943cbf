"""Work that survives a crash: what is due, how it is put on the queue, under which lease it is done."""
