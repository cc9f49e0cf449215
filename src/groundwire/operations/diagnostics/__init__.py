"""What is wrong in files, and how far that is proven."""
