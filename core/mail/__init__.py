"""Mail: what one is, whether the settings name a server for it, and how it is handed to that server."""
