"""Finding what is wrong with a file: histories, IKU1 blocks, traces and tables of pairs."""
