"""A prompt of any length in K + chunk tokens: bounded prefill, then plain ``generate()``."""

import transactional_attention as ta

model, tokenizer = ta.load_embedded()
text = "The order id is: ORD-58213\n" + "Nothing else happened that day. " * 2000
inputs = tokenizer(text + "\n\nWhat is the order id?", return_tensors="pt", verbose=False)
num_tokens, num_positions = inputs["input_ids"].shape[1], model.config.max_position_embeddings
print(f"{num_tokens:,} tokens, {num_positions:,} positions")

retention = ta.Retention(budget=64, positions="compact")  # outgrow the trained positions
cache = ta.RetentionCache(model, tokenizer, retention)
ta.prefill(model, inputs["input_ids"], cache, chunk=256)
out = model.generate(**inputs, past_key_values=cache, max_new_tokens=16)

print(tokenizer.decode(out[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True))
print(f"live tokens at most: {cache.ledger.within}, between forwards {cache.ledger.between}")
