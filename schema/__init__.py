"""The run: table definitions, manifest, XML view."""
