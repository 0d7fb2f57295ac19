"""What each caller may see, as the JSON of the API. Everything that leaves the server about a round is made here."""
