"""How a house is kept: its locks and its pulse, watched, measured and backed up."""
