"""The kinds of faults, one file a subject."""

from __future__ import annotations

from lab.faults.kinds.clock import CLOCK
from lab.faults.kinds.connections import CONNECTIONS
from lab.faults.kinds.disk import DISK
from lab.faults.kinds.network import NETWORK
from lab.faults.kinds.processes import PROCESSES
from lab.faults.kinds.queued import QUEUED
from lab.faults.kinds.upgrade import UPGRADE

KINDS = (*PROCESSES, *QUEUED, *CONNECTIONS, *DISK, *CLOCK, *UPGRADE, *NETWORK)
