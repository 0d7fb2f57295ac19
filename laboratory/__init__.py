"""The laboratory: levels of bots play each other in process over the same deals, and statistics say which is better."""
