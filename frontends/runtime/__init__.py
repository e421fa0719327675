"""When code is captured and compiled: accounts of time, sites, and the ledger on disk."""
