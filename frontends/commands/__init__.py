"""The subcommands of `python -m framejit`."""
