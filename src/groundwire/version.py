"""Which version this is, for those below the package itself. Above: everything. Below: nothing."""

VERSION = "0.1.0"
