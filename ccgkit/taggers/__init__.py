"""The neural taggers: encoders, decoders and the model that joins them. Importing this needs torch."""
