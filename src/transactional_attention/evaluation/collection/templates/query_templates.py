"""Queries, fragments and matrix parameters of URLs (development)."""

QUERIES: tuple[str, ...] = (
    "curl 'https://api.example.com/v1/items?limit=20&cursor=⟦!id|cursor⟧&order=asc'",
    "See [the report](https://docs.example.com/view?doc=⟦!uuid|doc⟧&page=3) for details.",
    "https://login.example.net/callback#access_token=⟦!id|access_token⟧&token_type=bearer&expires_in=3600",
    "GET /search?filter[owner]=⟦!id|filter[owner]⟧&filter[state]=open&page[size]=50 HTTP/1.1",
    "https://shop.example.com/redirect?to=https%3A%2F%2Fpay.example.com%2Fconfirm%3Forder%3D⟦!id|order⟧%26lang%3Den",
    'wget -q "https://files.example.org/get?sig=⟦!hex|sig⟧&name=a.zip" -O a.zip',
    "Open https://meet.example.com/join?room=lobby&pwd=⟦!id|pwd⟧ at nine.",
    '2031-04-05T10:11:12Z "GET /reset?uid=42&code=⟦!code|code⟧ HTTP/1.1" 200 512',
    "https://example.com/unsubscribe?list=news&u=⟦!hex|u⟧",
    '<a href="https://example.org/verify?lang=de&amp;ticket=⟦!id|ticket⟧&amp;src=mail">verify</a>',
    "https://maps.example.com/?z=12&q=⟦!pair|q⟧&hl=en",
    "https://example.com/p/items/⟦!id|identifier⟧?ref=home",
    "ids[]=3&ids[]=4&session=⟦!uuid|session⟧&debug=0",
    "fetch(`https://api.example.com/v2/users?after=⟦!id|after⟧&limit=5`)",
    "https://example.com/share;jsessionid=⟦!hex|jsessionid⟧?view=full",
    "otpauth://totp/Ledger:ines?secret=⟦!base32|secret⟧&issuer=Ledger&digits=6",
    "https://bucket.example.com/k.bin?X-Expires=900&X-Signature=⟦!hex|X-Signature⟧",
    "Redirected to /welcome?invite=⟦!code|invite⟧&step=2 after login",
    "https://tickets.example.com/scan?data=%7B%22seat%22%3A%2212%22%2C%22code%22%3A%22⟦!code|code⟧%22%7D",
    "Tracking: https://post.example.com/track#/parcel?number=⟦!digits|number⟧",
)
