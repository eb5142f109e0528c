"""Values drawn afresh: one language of forms, one factory, vocabularies that stay apart."""
