"""The parts of `make bench-research`: each module has `measure() -> list[Measure]`."""
