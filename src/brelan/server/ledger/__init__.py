"""What the house writes down about itself, and what it counts: all may tell it something, it asks nobody."""
