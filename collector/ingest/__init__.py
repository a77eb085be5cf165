"""From raw agent files to the tables of a run."""
