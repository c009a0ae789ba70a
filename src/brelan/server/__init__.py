"""The house on the network: tables for persons and bots, stored before anything is acknowledged."""
