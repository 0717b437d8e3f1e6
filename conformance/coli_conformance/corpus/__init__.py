"""The corpus: every case, generated from the declarations. One module a group of clauses, one function a clause."""
