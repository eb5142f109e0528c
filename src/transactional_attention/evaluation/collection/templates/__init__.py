"""Templates of the collection: development here, the test split in ``*_test_templates.py``."""
