"""Streams written for this project, shipped so that the demo finds them after a plain install."""
