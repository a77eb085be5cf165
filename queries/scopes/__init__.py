"""Scopes: parts of a run, and the relations that restrict queries to them.

``scope`` names a part; ``scope_parts`` says which rows of each table are in it, with ``subtrees``
for whole subtrees and ``block_parts`` for parts of basic blocks; ``bound_scopes`` makes the views
in a run's database; ``scope_folding`` finds what folding took from a scope.
"""
