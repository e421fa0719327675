"""What a report is told: breaks in words, records, numbers, texts."""
