"""Training of the taggers. Importing its modules needs torch."""
