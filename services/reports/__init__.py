"""Reports: asked for, researched, approved, stopped and taken up again."""
