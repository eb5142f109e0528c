"""Tables of pages and the report of ``ta reproduce``, from records alone."""
