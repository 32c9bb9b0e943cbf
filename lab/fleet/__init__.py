"""Machines on addresses of their own, in namespaces of this one: the installation of `deploy/compose.yaml`."""
