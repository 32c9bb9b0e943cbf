"""The kinds of faults, one file a subject."""

from __future__ import annotations

from scripts.faults.kinds.clock import CLOCK
from scripts.faults.kinds.connections import CONNECTIONS
from scripts.faults.kinds.disk import DISK
from scripts.faults.kinds.network import NETWORK
from scripts.faults.kinds.processes import PROCESSES
from scripts.faults.kinds.queued import QUEUED
from scripts.faults.kinds.upgrade import UPGRADE

KINDS = (*PROCESSES, *QUEUED, *CONNECTIONS, *DISK, *CLOCK, *UPGRADE, *NETWORK)
