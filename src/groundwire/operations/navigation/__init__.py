"""Where things are, and what they are: definitions, uses, symbols, documentation."""
