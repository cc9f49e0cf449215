"""Skills, and the phases that hold a client to them."""
