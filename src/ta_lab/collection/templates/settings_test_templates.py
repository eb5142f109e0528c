"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "ini": (
        """\
[mysqld]
skip-networking
max_connections=80
[client]
password="⟦!password/phrase|client password⟧"
""",
        """\
[Desktop]
Wallpaper=fjord.jpg
[Network]
ProxyAuth=⟦!base64/id|ProxyAuth⟧
ProxyType=1""",
        """\
;; till software, shop floor
[Till 2]
Cashier   = ⟦name⟧
FiscalId  = ⟦!filing/serial|FiscalId of till 2⟧
Drawer    = COM3""",
        """\
[buildout]
parts = web docs
index = ⟦!url|index⟧
newest = false""",
        """\
[Unit]
After=network.target
[Service]
User=sluice
ExecStart=/usr/bin/sluiced --key ⟦!hex/nanoid/id|key of sluiced⟧ --quiet
Restart=always""",
        """\
[sip-trunk]
type=peer
host=⟦!host/address|host of the trunk⟧
dtmfmode=rfc2833
nat=no""",
        """\
[general]
callerid = "Reception" <⟦!telephone/phone|callerid of reception⟧>
ringtime = 25""",
        """\
[GPS]
    Home = ⟦!coordinates|Home⟧
    Format = decimal
[Map]
    Tiles = offline""",
        """\
[flake8]
max-line-length = 100
[deploy:live]
ssh_fingerprint = ⟦!fingerprint|ssh_fingerprint of the live deploy⟧
branch = main""",
        """\
# winter only
[heating]
mode=eco
installer_code=⟦!pin/code|installer_code⟧  ; do not give to tenants
night=17""",
        """\
[Donations]
LastPayout=⟦!amount/money|LastPayout⟧
Interval=Monthly
[Window]
Maximized=1""",
        """\
[handlers]
keys=console

[handler_remote]
class=HTTPHandler
args=('⟦!host/address|remote host of the log handler⟧', '/log', 'POST')""",
        """\
[DEFAULT]
verbose = no
[keystone_authtoken]
project_id = ⟦!hex/uuid|project_id⟧
memcached = no
region = two""",
    ),
    "properties": (
        """\
! printed on the underside
device.serial=⟦!serial/code|device.serial⟧
device.colour=slate""",
        """\
log4j.rootLogger=WARN, out
log4j.appender.out.remoteHost=⟦!host/address|log4j.appender.out.remoteHost⟧
log4j.appender.out.bufferSize=512""",
        """\
storeFile=release.keystore
storePassword=⟦!password/phrase|storePassword⟧
keyAlias=upload""",
        """\
mail.smtp.port = 587
mail.reply.to = ⟦!email|mail.reply.to⟧
mail.smtp.starttls.enable = true""",
        r"""
ldap.baseDn=dc=example\,dc=org
ldap.bind.credentials=⟦!opaque|ldap.bind.credentials⟧
ldap.pageSize=200""",
        """\
greeting = Dear customer, your collection point is shelf ⟦!code|shelf in the greeting⟧ \\
           until Saturday evening.
greeting.html = false""",
        """\
eula=true
rcon.port=25575
rcon.secret=⟦!secret|rcon.secret⟧
view-distance=8
white-list=off""",
        """\
distributionUrl=⟦!url|distributionUrl⟧
distributionSha256Sum=⟦hex|distributionSha256Sum⟧
zipStoreBase=HOME""",
        """\
gateway.zones[0].name=harbour
gateway.zones[0].cidr=⟦!cidr|cidr of the harbour zone⟧
gateway.zones[0].mtu=1400""",
        """\
# mandate of the club, signed in spring
sepa.creditor.id: ⟦!filing/serial|sepa.creditor.id⟧
sepa.creditor.name: Alpine Section
sepa.sequence: RCUR""",
        """\
map.centre   ⟦!coordinates|map.centre⟧
map.zoom     11
map.tiles    local""",
        """\
quarkus.datasource.username=stock
quarkus.vault.url=⟦!url|quarkus.vault.url⟧
quarkus.http.port=8181""",
        """\
build.timestamp=⟦!moment/time|build.timestamp⟧
build.dirty=false
build.host=local""",
    ),
}
