"""Wires: reads squares and panel, drives lamps; knows nothing of chess beyond 64 squares."""
