"""From a command that starts a JVM to a run."""
