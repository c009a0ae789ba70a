"""The laboratory: simulations, benchmarks and audits; the arena; how games are balanced, and bots tuned and trained."""
