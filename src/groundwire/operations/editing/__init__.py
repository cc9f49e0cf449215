"""Edits: planned, checked, written all or nothing, and taken back."""
