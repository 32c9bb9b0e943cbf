"""What the pages of both review queues share: keys, holds, notices, answers."""
