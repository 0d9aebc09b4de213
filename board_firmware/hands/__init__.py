"""Simulated hands: a move taken apart into lifts and places, and whole games played on simulated boards."""
