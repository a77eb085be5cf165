"""The verbs of the command line, one thin module each."""
