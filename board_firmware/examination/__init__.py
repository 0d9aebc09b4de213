"""The examination of a board that `touchmove doctor` guides: its steps, what is scanned, and who acts."""
