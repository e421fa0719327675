"""How a user's function comes in: the decorator, the frame hook, the symbolic machine."""
