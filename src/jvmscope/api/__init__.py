"""The objects that ``jvmscope.open`` and ``jvmscope.record`` return."""
