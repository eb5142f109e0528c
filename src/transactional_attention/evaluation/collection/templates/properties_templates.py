"""Properties files and their relatives (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

PROPERTIES: tuple[str, ...] = (
    "mail.host=localhost\nmail.password=⟦!password|mail.password⟧\nmail.debug=false",
    "app.name = ledger\napp.license.key = ⟦!serial|serial number⟧\napp.mode = batch",
    "db.user: reader\ndb.pass: ⟦!password|db.pass⟧\ndb.pool: 5",
    "cluster.seed ⟦!address|cluster.seed⟧\ncluster.size 3\ncluster.name orchard",
    "! connection to the till\ntill.endpoint=⟦!escaped|till.endpoint⟧\ntill.retry=2",
    "# rotated\nsigning.secret=\\\n    ⟦!id|signing.secret⟧\nsigning.alg=HS256",
    "greeting=Welcome\\nback\nterminal.id=⟦!serial|terminal.id⟧\nterminal.lang=en",
    "storage.root=⟦!folder|storage.root⟧\nstorage.quota=20",
    "messages.title=Home\nmessages.support.phone=⟦!phone|messages.support.phone⟧\nmessages.footer=Bye",
    "spring.datasource.hikari.username=app\nspring.datasource.hikari.password=⟦!password|spring.datasource.hikari.password⟧\nspring.jpa.show-sql=false",
    "feed.key[0]=⟦!id|feed.key[0]⟧\nfeed.interval=30",
    "[printer]\nmodel = laser\nserial = ⟦!serial|serial number⟧\nduplex = yes",
    "[vpn]\n; issued by the desk\npsk=⟦!password|psk⟧\nmtu=1400",
    '[account "main"]\n	email = ⟦!email|e-mail address⟧\n	sync = true',
    "[map]\norigin = ⟦!coordinates|coordinates⟧\nzoom = 9",
    "[remote]\nurl=⟦!url|url⟧ ; mirror\ndepth=1",
    "batch.start=⟦!time|batch.start⟧\nbatch.size=100",
    "owner.note=call the desk \\\n  and quote ⟦!serial|number to quote⟧ \\\n  before noon\nowner.lang=en",
    "device.mac\\:address=⟦!mac|device mac⟧\ndevice.type=cam",
    "build.revision=⟦!commit|build.revision⟧\nbuild.clean=true",
)
