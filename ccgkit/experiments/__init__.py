"""The paper's experiments: models trained if missing, measured once, set beside its figures."""
