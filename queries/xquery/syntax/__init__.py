"""The syntax of XQuery 3.1: text to abstract syntax."""
