"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .transcript_test_templates import TRANSCRIPTS

AGENT: dict[str, tuple[str, ...]] = {
    "tool-call-json": (
        '{"name": "renew_loan", "arguments": {"card": "⟦!digits/code|card⟧", "copies": ["blue", "red"], "weeks": 2}}',
        '<function_calls>\n<invoke name="book_slot">\n<parameter name="branch">harbour</parameter>\n<parameter name="patient_id">⟦!record/filing|patient_id⟧</parameter>\n</invoke>\n</function_calls>',
        '[TOOL_CALLS][{"name": "page_on_call", "arguments": {"number": "⟦!telephone/phone|number⟧", "repeat": 2}, "id": "a1"}]',
        '```json\n{\n  "action": "restart_pod",\n  "action_input": {"cluster": "north", "pod_uid": "⟦!uuid|pod_uid⟧", "grace": 30}\n}\n```',
        '{"type":"tool_use","id":"use_3","name":"fetch_page","input":{"url":"⟦!url|url⟧","render":false}}',
        '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open_door","arguments":{"door":"rear","pass":"⟦!pin/secret|pass⟧"}}}',
        '{"recipient_name": "functions.pin_on_map", "parameters": {"where": "⟦!coordinates|where⟧", "label": "cairn", "colour": "red"}}',
        'Action: pay_invoice\nAction Input: {"payee": "gardener", "account": "⟦!iban|account⟧", "when": "Friday"}',
        '{"function_call": {"name": "set_reminder", "args": {"at": "⟦!time/moment|at⟧", "text": "turn the compost"}}}',
        '<|python_tag|>{"type": "function", "name": "read_blob", "parameters": {"key": "⟦!path/hex|key⟧", "range": null}}',
        '{"calls":[{"fn":"list_notes","kw":{}},{"fn":"open_note","kw":{"note":"⟦!nanoid/ulid/id|note⟧"}}]}',
        '{"name":"quote_shipping","arguments":"{\\"weight_kg\\": 4, \\"customer\\": \\"⟦!serial/digits|customer⟧\\", \\"express\\": false}"}',
        '{"tool": "add_payee", "tool_input": {"display": "Aunt Vera", "email": "⟦!email|email⟧", "limit": "⟦amount|limit⟧"}}',
    ),
    "tool-call-python": (
        'print(default_api.release_hold(hold="⟦!record|hold⟧", notify=True))',
        '[get_forecast(where="⟦!coordinates|where⟧", days=3), get_tides(days=3)]',
        "await page.fill('#otp', '⟦!pin/digits|otp⟧')\nawait page.click('text=Continue')",
        "crm.contacts.update(id=⟦!digits|id⟧, fields={'newsletter': False})",
        "with vault.session(key='⟦!secret|key⟧') as s:\n    s.list('/')",
        "df = pd.read_parquet('⟦!path/url|file that was read⟧', columns=['day', 'litres'])\ndf.head()",
        'spawn_agent(role="packer", brief="collect the order", order="⟦!record/filing|order⟧", budget=3)',
        "Thought: the card must be blocked first.\nblock_card('⟦!card|card to block⟧', reason='lost')",
        'send_sms(to="⟦!telephone/phone|to⟧", body="The boiler is warm again.")',
        "requests.post(hook, json={'text': 'done'}, headers={'X-Signature': '⟦!hex/base64|X-Signature⟧'})",
        "client.transfer(amount='⟦!amount/money|amount⟧', memo='roof')  # asked for by the board",
        'schedule_call(contact="plumber", at="⟦!time/moment|at⟧", minutes=15)',
        "camera_3.connect('⟦!address/ipv6|address of camera 3⟧', stream=2)",
    ),
    "tool-results": (
        "<function_results>\n<result>\n<tool_name>book_slot</tool_name>\n<stdout>Booked. Confirmation ⟦!record/filing|confirmation⟧, bring a towel.</stdout>\n</result>\n</function_results>",
        '{"content":[{"type":"text","text":"Created page ⟦!url|created page⟧"}],"isError":false}',
        "[RESULT] 1 match\n  file: notes/keys.md\n  line 14: attic padlock - ⟦!pin/code|attic padlock⟧\n[END]",
        "Tool output:\nid          state    owner\n⟦!ulid/hex/uuid|id of the queued job⟧  queued   ⟦name⟧\n",
        "⏺ Bash(ls -la spool)\n  ⎿  total 1\n     -rw-r--r-- 1 ci ci 40 May 6 07:10 ⟦!path|file in the spool⟧",
        '{"results": [{"title": "Old mill", "snippet": "Meet at ⟦!coordinates|meeting point⟧ by the sluice.", "rank": 1}]}',
        "observation> order found; payment link valid until ⟦!time/moment|end of the link's validity⟧; no returns",
        "HTTP 201\nLocation: ⟦!url|Location⟧\n\n(empty body)",
        '<observation tool="crm">customer: Ms Berg | tier: gold | direct line: ⟦!telephone/phone|direct line⟧ | open tickets: none</observation>',
        "Traceback: none. Return value: ('ok', '⟦!opaque|second item of the return value⟧', 3)",
        "Transcript of the voicemail: hello, it is the notary, the deed is filed under ⟦!filing/serial|file of the deed⟧, goodbye.",
        "search_mail returned 1 item.\nFrom: housing office\nText: the deposit comes to ⟦!amount/money|deposit⟧ and is due at the signing.",
        "$ cat /run/pairing\n⟦!phrase/code|pairing that was printed⟧\n$ exit status: 0",
        "balance(): {'savings': '⟦!money/amount|savings⟧', 'currency_ok': True}",
    ),
    **TRANSCRIPTS,
}
