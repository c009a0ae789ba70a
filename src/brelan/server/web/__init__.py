"""What every address has in common: how files are sent, how much may be asked, how long is waited."""
