"""The HTTP service: one front process before the daemons of the workspaces; it holds no language state of its own."""
