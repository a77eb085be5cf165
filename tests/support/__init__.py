"""What tests of several stages share."""
