"""How the pages of the documentation are read, and how the commands on them are run."""
