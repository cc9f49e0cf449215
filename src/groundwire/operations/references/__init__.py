"""Uses that were asked for before, given again while nothing that they depend on has changed."""
