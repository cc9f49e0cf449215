"""What we believe about the files and what proves it, without input or output. Methods return the messages to send.

Above: ``client``. Below: ``protocol``.
"""
