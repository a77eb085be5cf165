"""How fast jvmscope is: real JVM programs, bare against recorded.

`python -m benchmarks --help` lists the commands; docs/performance.md holds the published numbers.
"""

__all__: list[str] = []
