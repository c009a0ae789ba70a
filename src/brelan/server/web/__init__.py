"""What every address has in common: how files are sent and pages filled in, from where and how much may be asked, how
long is waited.
"""
