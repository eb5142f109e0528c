"""How the embedded model is made: corpus, tokenizer, documents, network, loop, evaluation."""
