"""The laboratory: levels play each other in process over the same deals, and statistics say which one is better."""
