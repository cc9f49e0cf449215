"""What an edit or a change set introduced, in its own files and in those that depend on them."""
