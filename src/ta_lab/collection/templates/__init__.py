"""Templates of the collection: development here, the test split in ``*_test_templates.py``.

The test splits of before: ``*_retired_templates.py``, ``*_second_retired_templates.py``.
"""
