"""How a house is kept: begun and ended, watched, counted, written down and backed up."""
