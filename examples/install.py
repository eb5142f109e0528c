"""Every ``generate()`` of a model under a budget, without touching the calls."""

import transactional_attention as ta

model, tokenizer = ta.load_embedded()
inputs = tokenizer("The port is: 8443\n" + "Words go by. " * 400, return_tensors="pt")

with ta.install(model, tokenizer, ta.Retention(budget=48)) as installed:
    model.generate(**inputs, max_new_tokens=8)
    print(installed.cache.report())
