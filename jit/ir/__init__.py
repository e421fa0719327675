"""The intermediate representation: types, the op table, graphs, builder, verifier, text."""
