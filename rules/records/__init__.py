"""A match as a document: reading, checking and writing it, as JSON and as text (``docs/record-format.md``)."""
