"""Members added to, and taken out of, the texts of JSON, TOML and YAML files; every other byte stays as it is.

Nothing here reads or writes a file. What cannot be edited safely is refused with InvalidArgument, never guessed, and
every result is read again and compared with what it has to say before it is handed out.
"""
