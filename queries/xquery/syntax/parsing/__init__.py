"""The parser, in layers: each module adds a class to the one below it.

``Cursor`` (tokens) - ``NameParser`` - ``TypeParser`` - ``ExpressionParser`` (what all need) -
``DirectParser`` and ``ComputedParser`` (constructors) - ``PrimaryParser`` - ``PathParser`` -
``OperatorParser`` - ``FlworParser`` - ``ControlParser`` - ``PrologParser`` - ``ModuleParser``.
"""
