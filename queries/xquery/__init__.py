"""XQuery and XPath on a run: what a query means, and how it is answered, in SQL or on trees.

    text ── syntax ──▶ abstract syntax ── analysis ──▶ program ┬─ compiler ──▶ SQL ──▶ DuckDB
                                                               └─ evaluator ──▶ trees

``query`` plans which parts of a query go which way, ``sql_parts`` runs those in SQL and
``evaluation`` the rest; ``documents`` and ``variables`` are what a query finds, ``table`` and
``text`` what becomes of its items.
"""
