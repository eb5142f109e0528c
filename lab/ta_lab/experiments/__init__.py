"""The paper's experiments, measured again: ``ta reproduce NAME``.

Each is a function of one script here: it says which cases are run under which methods, or measures
by itself, and a function of the same script makes its tables from a record. A script runs its own:
``python -m ta_lab.experiments.needle``, with names and options as ``ta reproduce`` takes them."""
