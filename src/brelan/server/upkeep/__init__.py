"""How a house is kept: its locks and its pulse, its build, watched, measured and backed up."""
