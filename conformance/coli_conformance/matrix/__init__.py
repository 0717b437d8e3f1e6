"""The interop matrix: every writer's files read by every reader, and what each reader made of them."""
