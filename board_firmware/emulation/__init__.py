"""Our board taken for another make: other people's programs drive it over a serial line."""
