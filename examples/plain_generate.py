"""Plain ``generate()`` under a budget, and why each token was kept."""

import transactional_attention as ta

model, tokenizer = ta.load_embedded()  # tiny: it stops at the dot of a host's name, with any cache
prompt = "The order id is: ORD-58213\n" + "It rained all day. " * 300
question = "\n\nWhat is the order id?"
inputs = tokenizer(prompt + question, return_tensors="pt")

cache = ta.RetentionCache(model, tokenizer, ta.Retention(budget=64))
out = model.generate(**inputs, past_key_values=cache, max_new_tokens=24)

print(tokenizer.decode(out[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True))
print(cache.report())
