"""Starting the JVM with the agent."""
