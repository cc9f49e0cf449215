"""The servers themselves: which are needed, whether they work, and how they are started and stopped."""
