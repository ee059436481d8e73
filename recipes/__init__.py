"""How the files in the package were made, one script each; run from the project's folder.

python -m recipes.english --data DATA --work WORK --output ccgkit/models/en-pmb
python -m recipes.german_italian_dutch --data DATA --work WORK --output ccgkit/models/de-it-nl-pmb
python -m recipes.parsing_costs --data DATA --output ccgkit/parsing
python -m recipes.pos_tagger --data DATA --output ccgkit/text/pos.safetensors
python -m recipes.treebank --data DATA --work WORK --jobs 2
"""
