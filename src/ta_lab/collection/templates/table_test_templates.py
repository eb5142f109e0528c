"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

TABLES: dict[str, tuple[str, ...]] = {
    "csv": (
        """\
Booking date;Value date;Text;Counterparty;IBAN;Amount;Currency
02.01.2031;02.01.2031;STANDING ORDER;Landlord;⟦!iban|IBAN of the landlord⟧;-740,00;EUR""",
        """\
sku,title,colour,stock,reorder_code
14,Lamp,green,3,
15,Lamp,white,0,⟦!code/serial|reorder_code of the white lamp⟧
16,Shade,,7,""",
        """\
"Name","Given Name","Group Membership","Phone 1 - Type","Phone 1 - Value"
"Night nurse","","* myContacts","Work","⟦!telephone/phone|phone of the night nurse⟧"
"Bakery","","","",\"\"""",
        """\
timestamp|sensor|state|trace
08:00|gate|open|
08:04|gate|shut|⟦!hex/ulid|trace of the shut gate⟧""",
        """\
#hostname,vlan,mac,remark
copier,20,⟦!mac|mac of the copier⟧,leased
till,30,⟦mac|mac of the till⟧,own""",
        """\
plot,owner,area_m2,corner
7,Widow Berg,412,"⟦!coordinates|corner of plot 7⟧"
8,Parish,1290,""",
        """\
ticket,opened_by,severity,summary
⟦!record|ticket⟧,⟦name⟧,low,"Door squeaks, again"
""",
        """\
account,opening,closing
Till,"1,20","4,80"
Safe,"0,00","⟦!amount/quantity|closing of the safe⟧" """,
        """\
url,username,password,note
intranet,,⟦!password/phrase|password of the intranet⟧,shared
wiki,,,no login""",
        """\
chip;species;vaccinated
⟦!digits|chip⟧;cat;yes""",
        """\
depot	driver	plate	litres
East	⟦name⟧	⟦!plate|plate in the east depot⟧	60
West	⟦name⟧	⟦plate|plate in the west depot⟧	48""",
        """\
device_id,installed,fw
⟦!uuid/serial/mac|device_id⟧,spring,stable""",
        """\
'date','speaker','topic','link'
'Tuesday','⟦name⟧','Moss','⟦!url|link to the talk on moss⟧'""",
    ),
    "markdown-table": (
        """\
| Room | Wi-Fi name | Wi-Fi key | Projector |
|:-----|:-----------|:----------|:---------:|
| Atlas | guest-a | `⟦!password/phrase|wi-fi key of Atlas⟧` | yes |
| Bora | guest-b | `⟦password/phrase|wi-fi key of Bora⟧` | no |""",
        """\
|Env|Who|Last deploy|
|-|-|-|
|rehearsal|⟦name⟧|⟦!commit/version|last deploy of rehearsal⟧|""",
        """\
+-----------+--------+--------------------------+
| Container | Seal   | Waybill                  |
+-----------+--------+--------------------------+
| blue      | intact | ⟦!serial/filing|waybill of the blue container⟧ |
+-----------+--------+--------------------------+""",
        """\
| | before | after |
|---|---|---|
| licence fee | none | **⟦!amount/money|licence fee after⟧** |
| seats | 5 | 5 |""",
        """\
| Step | Action | Note |
|---:|---|---|
| 1 | unplug | wait a minute |
| 2 | hold the button | it shows ⟦!pin/code|text that the button shows⟧ |
| 3 | plug in | |""",
        """\
│ peer   │ state │ endpoint │
├────────┼───────┼──────────┤
│ ferry  │ up    │ ⟦!address/ipv6|endpoint of the ferry⟧ │
│ quay   │ idle  │          │""",
        """\
| Contact | Reach them |
|---|---|
| Locksmith | ⟦!telephone/phone|locksmith⟧ |
| Caretaker | knock |""",
        """\
| Mailbox | Reads it |
| --- | --- |
| <⟦!email|mailbox of the treasurer⟧> | treasurer |
| noticeboard | all |""",
        """\
 id | title      | shelfmark
----+------------+-----------
  4 | Tide atlas | ⟦!filing/code|shelfmark of the tide atlas⟧
(1 row)""",
        """\
| Run | Loss | Checkpoint |
|---|---|---|
| a | high | - |
| b | low | ⟦!path|checkpoint of run b⟧ |""",
        """\
| Landmark | Where |
|:---:|:---:|
| Cairn | ⟦!coordinates|position of the cairn⟧ |
| Spring | below the cairn |""",
        """\
| header | sent | example |
|---|---|---|
| accept | always | any |
| x-tenant | always | ⟦!uuid/ulid|x-tenant⟧ |""",
        """\
||Key||Summary||Branch||Build id||
|open|margins|main|⟦!record/hex|build id of margins⟧|""",
    ),
    "sql": (
        """\
INSERT INTO members (id, name, card_no, joined) VALUES
  (1, 'Ada', NULL, '2030-01-02'),
  (2, 'Bo', '⟦!card/digits|card_no of Bo⟧', '2030-02-11');""",
        "UPDATE tenants SET api_hash = '⟦!hex/base64|api_hash⟧', updated_at = now() WHERE slug = 'orchard';",
        "SELECT * FROM audit WHERE actor = '⟦!username|actor⟧' AND day > current_date - 7 ORDER BY day DESC;",
        "CREATE ROLE mapper LOGIN PASSWORD '⟦!password/phrase|password of mapper⟧' VALID UNTIL 'infinity';",
        """\
mysql> select name, redirect from clients\\G
    name: kiosk
redirect: ⟦!url|redirect of kiosk⟧
1 row in set""",
        "DELETE FROM sessions WHERE sid IN ('⟦!opaque|sid to delete⟧');  -- reported by support",
        """\
CREATE TABLE doors (
  id   int PRIMARY KEY,
  code text DEFAULT '⟦!pin/code|default of code⟧',
  side char(1)
);""",
        "EXEC dbo.usp_Post @Ledger = 4, @Voucher = N'⟦!filing/serial|@Voucher⟧', @Dry = 0;",
        "COPY readings FROM '⟦!path|file to copy from⟧' WITH (FORMAT csv, HEADER);",
        """\
MERGE INTO stops t USING (SELECT 'Mill' n, '⟦!coordinates|position of the Mill⟧' p) s
ON (t.n = s.n) WHEN MATCHED THEN UPDATE SET t.p = s.p;""",
        "CREATE USER 'feed'@'⟦!ipv6/cidr|network that feed may come from⟧' REQUIRE SSL;",
        "SELECT pgp_sym_decrypt(note, '⟦!secret|key for the notes⟧') FROM notes LIMIT 5;",
        """\
ERROR:  duplicate key value violates unique constraint "parcels_pkey"
DETAIL:  Key (parcel_id)=(⟦!record/ulid|parcel_id⟧) already exists.""",
    ),
}
