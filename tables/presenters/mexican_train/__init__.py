"""Presents what is particular to Mexican Train: its moves, trains and sentences, its rule book and its picture."""
