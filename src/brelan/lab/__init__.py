"""The laboratory: simulations and benchmarks."""
