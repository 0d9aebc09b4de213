"""The pure heart: from a reed's change to a decision. No clock, no file, no thread, no chance."""
