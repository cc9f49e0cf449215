"""What operations answer with: the fields are those of the JSON that every surface gives."""
