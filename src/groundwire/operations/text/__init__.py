"""What a text tells by itself, without a server: syntax, words, places, indentation."""
