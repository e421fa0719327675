"""The nodes outside clusters: each module registers what some ops emit."""
