"""The state of a capture: machine, frames, live-ins, memory, objects, and guards on them."""
