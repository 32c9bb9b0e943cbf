"""Everything that one file holds: documents, attachments, forms with data, sheets on one page."""
