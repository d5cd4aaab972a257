"""Written for this project, and shipped so that a plain install finds it: the demo's stream, and a worked example."""
