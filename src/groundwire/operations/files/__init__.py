"""Which files there are, how they are named, and what version control says of them."""
