"""Results as text: xml, html, json, text, adaptive."""
