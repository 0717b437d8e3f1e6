"""The suite tests itself: every faulty engine against every case, and whether the corpus is good enough to judge by."""
