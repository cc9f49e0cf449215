"""``groundwire lsp``: one language server that is all of them, over the servers that everything else shares.

Above: nothing. Below: ``operations``, ``pool``.
"""
