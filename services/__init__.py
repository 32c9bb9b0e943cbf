"""What the product can do, one subject a module; called by web, commands and jobs."""
