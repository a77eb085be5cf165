"""The prompt of ``jvmscope query``."""
