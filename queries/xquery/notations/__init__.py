"""What functions read in strings: regular expressions, pictures of dates and numbers, JSON."""
