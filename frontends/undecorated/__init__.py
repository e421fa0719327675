"""Undecorated functions: how they are found, selected and captured."""
