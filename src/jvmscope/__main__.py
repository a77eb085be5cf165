"""``python -m jvmscope`` is ``jvmscope``."""

from jvmscope.cli import main

if __name__ == "__main__":
    main()
