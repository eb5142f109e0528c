"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .command_test_templates import COMMANDS
from .infrastructure_test_templates import INFRASTRUCTURE
from .request_test_templates import REQUESTS
from .table_test_templates import TABLES

WEB: dict[str, tuple[str, ...]] = {
    "xml": (
        """\
<?xml version="1.0" encoding="UTF-8"?>
<settings>
  <servers>
    <server><id>snapshots</id><username>ci</username><password>⟦!secret|password of the snapshots server⟧</password></server>
  </servers>
</settings>""",
        """\
<ns2:Mandate xmlns:ns2="urn:sepa:test"><ns2:MndtId>⟦!filing/record|MndtId⟧</ns2:MndtId><ns2:SeqTp>FRST</ns2:SeqTp></ns2:Mandate>""",
        """\
<trk><name>Ridge walk</name><trkseg>
  <!-- lunch was taken at ⟦!coordinates|place of the lunch⟧ -->
  <extensions/>
</trkseg></trk>""",
        """\
<add key="MaxUploadMb" value="20" />
<add key="TelemetryKey" value="⟦!uuid/nanoid|TelemetryKey⟧" />
<add key="Culture" value="da-DK" />""",
        """\
<string name="app_name">Tram times</string>
<string name="maps_api" translatable="false">⟦!token/id|maps_api⟧</string>
<string name="cancel">Cancel</string>""",
        """\
<dict>
    <key>CFBundleIconFile</key>
    <string>icon</string>
    <key>AppcastFeed</key>
    <string>⟦!url|AppcastFeed⟧</string>
    <key>LSUIElement</key>
    <true/>
</dict>""",
        """\
<Invoice>
  <Buyer><Name>Kelp Farm AS</Name></Buyer>
  <Totals currency="local">
    <Payable>⟦!amount/money|Payable⟧</Payable>
  </Totals>
</Invoice>""",
        """\
<soap:Header><wsse:UsernameToken><wsse:Username>⟦username|Username⟧</wsse:Username><wsse:Nonce>⟦!base64|Nonce⟧</wsse:Nonce></wsse:UsernameToken></soap:Header>""",
        """\
<item>
<title>Storm warning lifted</title>
<guid isPermaLink="false">⟦!uuid/url/urn|guid of the item⟧</guid>
</item>""",
        """\
<interface type='bridge'>
  <mac address='⟦!mac|mac of the interface⟧'/>
  <model type='virtio'/>
</interface>""",
        """\
<contact id="3" kind='private'>
  <tel use="night">⟦!telephone/phone|night tel of contact 3⟧</tel>
</contact>""",
        """\
<dependency>
  <groupId>org.example.press</groupId>
  <artifactId>margins</artifactId>
  <version>⟦!version|version of margins⟧</version>
</dependency>""",
        """\
<Relationship Id='r1' Type='hyperlink'
              Target='⟦!url/path|Target of r1⟧'
              TargetMode='External' />""",
    ),
    "html": (
        """\
<dl class="order-summary">
  <dt>Collection point</dt><dd>Kiosk at the harbour</dd>
  <dt>Collection code</dt><dd><strong>⟦!code/pin|collection code⟧</strong></dd>
</dl>""",
        """\
<script>
  window.__BOOT__ = { locale: "nl", map: { key: "⟦!token/id|map key⟧", style: "light" } };
</script>""",
        """\
<footer><p>&copy; Linden School &middot; office open mornings &middot; <a href="tel:+0">⟦!telephone/phone|telephone in the footer⟧</a></p></footer>""",
        """\
<link rel="preconnect" href="https://fonts.example.org" crossorigin>
<link rel="canonical" href="⟦!url|canonical link⟧">
<body class="no-js">""",
        """\
<p style="margin:0 0 12px">Hi ⟦name⟧,</p><p style="margin:0 0 12px">use <span style="font-size:24px;letter-spacing:4px">⟦!pin/digits|number in the mail⟧</span> within ten minutes to sign in.</p>""",
        """\
<table>
<thead><tr><th>Plan</th><th>Seats</th><th>Licence</th></tr></thead>
<tbody><tr><td>Team</td><td>8</td><td><code>⟦!serial/code|licence of the team plan⟧</code></td></tr></tbody>
</table>""",
        """\
<input name=q type=search placeholder=Search>
<input name="_nonce" type='hidden' value='⟦!hex/nanoid|_nonce⟧'>
<button>Go</button>""",
        """\
<img src="/banner.jpg" alt="Spring sale"><p>Enter <kbd>⟦!phrase/code|word for the checkout⟧</kbd> at the checkout, one use a household.</p>""",
        """\
<article itemscope><meta itemprop="isbn" content="⟦!digits|isbn⟧"><h1 itemprop="name">Letters from the ferry</h1></article>""",
        """\
<div id="player" data-autoplay="0" data-stream="⟦!url|data-stream⟧" data-poster="dark.png"></div>""",
        """\
<li><b>Track no.</b>&nbsp;⟦!record/filing|track number⟧<br><small>handed over on Monday</small></li>""",
        """\
<!-- build ⟦!commit/version|build in the comment⟧ -->
<main><h2>Opening hours</h2><p>Every day but Tuesday.</p></main>""",
        """\
<address>
  Old Customs House<br>
  <span class="geo">⟦!coordinates|geo of the customs house⟧</span><br>
  ring twice
</address>""",
        """\
<td align=right class=num>&nbsp;</td><td align=right class=num>⟦!amount|amount in the cell⟧</td><td>brought forward</td>""",
    ),
    **REQUESTS,
    **TABLES,
    **COMMANDS,
    **INFRASTRUCTURE,
}
