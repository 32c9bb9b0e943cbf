"""What a sheet is among others: a cover sheet, the end of a page, a second entry below the first."""
