"""The audit of the code and of the packages it is pinned to; `make audit`."""
