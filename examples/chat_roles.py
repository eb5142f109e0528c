"""Chats: roles reach detection, and the system prompt can be kept whole."""

import transactional_attention as ta

model, tokenizer = ta.load_embedded()
tokenizer.chat_template = (
    "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)
messages = [
    {"role": "system", "content": "Region: eu-north-1. Answer briefly."},
    {"role": "user", "content": "The ticket id is: TCK-90417. " + "Thanks for your help. " * 200},
    {"role": "user", "content": "What is the ticket id?"},
]
inputs, sources = ta.encode_chat(messages, tokenizer)

retention = ta.Retention(budget=96, protect_roles=("system",))
cache = ta.RetentionCache(model, tokenizer, retention, sources=sources)
model.generate(**inputs, past_key_values=cache, max_new_tokens=16)
print(cache.report())
