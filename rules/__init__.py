"""The laws of chess, pure: standard library only, no clock, no file, no log."""
