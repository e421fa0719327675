"""What `python -m framejit` does."""
