"""Record a JVM program once, exactly; ask every question of the recording."""
