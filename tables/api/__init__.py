"""API calls about tables: the lobby, playing, rounds."""
