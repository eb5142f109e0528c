"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "ini": (
        """\
[default]
region = eu-west-3
aws_access_key_id = EXAMPLE
aws_secret_access_key = ⟦!opaque|aws_secret_access_key⟧
output = json""",
        """\
[Interface]
PrivateKey = ⟦!base64|PrivateKey⟧
ListenPort = 51820

[Peer]
AllowedIPs = 0.0.0.0/0""",
        """\
[wifi-security]
key-mgmt=wpa-psk
psk=⟦!phrase/password|psk⟧

[ipv4]
method=auto""",
        """\
[Unit]
Description=Tide clock

[Service]
Environment=TIDE_STATION=⟦!record|TIDE_STATION⟧
ExecStart=/usr/bin/tideclock
Restart=on-failure""",
        """\
[pypi]
username = __token__
password = ⟦!token|pypi password⟧
[testpypi]
username = __token__""",
        """\
[nas]
type = sftp
host = ⟦!host/address|host of the nas⟧
shell_type = unix
# asked at mount time
pass =""",
        """\
[Settings]
Language=pt-BR
RecentProject=⟦!path|RecentProject⟧
Splash=0""",
        """\
[general]
context=incoming
[reception]
type=friend
secret=⟦!pin/id|secret of reception⟧
host=dynamic""",
    ),
    "properties": (
        """\
org.gradle.jvmargs=-Xmx2g
org.gradle.parallel=true
mavenCentralPassword=⟦!opaque|mavenCentralPassword⟧
android.useAndroidX=true""",
        """\
#Minecraft server properties
enable-rcon=true
rcon.password=⟦!phrase/id|rcon.password⟧
motd=Be nice
max-players=8""",
        """\
bootstrap.servers=⟦!address/host|bootstrap.servers⟧
acks=all
compression.type=lz4""",
        """\
## This file must *NOT* be checked into version control
sdk.dir=⟦!path|sdk.dir⟧
cmake.verbose=false""",
        """\
camel.springboot.name = bridge
bridge.partner.gln = ⟦!digits|bridge.partner.gln⟧
bridge.partner.test = false""",
        """\
management.endpoints.enabled-by-default=false
eureka.instance.instance-id=⟦!uuid/record|eureka.instance.instance-id⟧
server.shutdown=graceful""",
        """\
helpdesk.title=IT help
helpdesk.hotline=⟦!phone|helpdesk.hotline⟧
helpdesk.hours=weekdays""",
    ),
    "env": (
        """\
APP_NAME=Bakery
APP_ENV=local
APP_KEY=⟦!base64|APP_KEY⟧
APP_DEBUG=true""",
        """\
TELEGRAM_BOT_TOKEN=⟦!token/id|TELEGRAM_BOT_TOKEN⟧
TELEGRAM_ADMINS=
POLL_SECONDS=5""",
        """\
# ask Marta before you change this
NEXT_PUBLIC_API_URL=⟦!url|NEXT_PUBLIC_API_URL⟧
NEXT_TELEMETRY_DISABLED=1""",
        """\
RESTIC_PASSWORD="⟦!words/password|RESTIC_PASSWORD⟧"
RESTIC_COMPRESSION=max
GOMAXPROCS=2""",
        """\
PGHOST=⟦!host|PGHOST⟧
PGPORT=5432
PGSSLMODE=require""",
        """\
GIT_SHA=⟦!commit|GIT_SHA⟧
BUILD_TYPE=release
CCACHE=1""",
        """\
NODE_OPTIONS=--max-old-space-size=2048
VAPID_PRIVATE='⟦!base64/id|VAPID_PRIVATE⟧'
VAPID_SUBJECT=
CRON_ENABLED=no""",
        """\
WG_ENDPOINT=⟦!address|WG_ENDPOINT⟧
WG_MTU=1420
PUID=1000""",
    ),
    "shell": (
        """\
# ~/.config/fish/config.fish
set -gx EDITOR nvim
set -gx HUB_TOKEN ⟦!token/id|HUB_TOKEN⟧
fish_vi_key_bindings""",
        """\
PS C:\\> $env:ARM_CLIENT_SECRET = "⟦!secret|ARM_CLIENT_SECRET⟧"
PS C:\\> .\\deploy.ps1 -WhatIf""",
        """\
MAILTO=""
15 2 * * 0 root rsync -a --delete /home/ ⟦!path|weekly rsync target⟧""",
        """\
setenv LM_LICENSE_FILE ⟦!address/path|LM_LICENSE_FILE⟧
setenv PAGER less
source ~/.aliases""",
        """\
if [ -z "$SIGN_PASS" ]; then
  SIGN_PASS='⟦!password/phrase|default of SIGN_PASS⟧'
fi
codesign --deep build/""",
        """\
echo "installing..."
EXPECTED_SHA256=⟦!hex|EXPECTED_SHA256⟧
curl -fsSLO https://dl.example.net/tool.tgz
sha256sum tool.tgz""",
        """\
function vpn() {
  local gw=⟦!host/address|vpn gateway⟧
  openconnect --quiet "$gw"
}""",
        """\
cat <<'HERE' > /etc/motd
Maintenance window starts ⟦!time|start of the maintenance window⟧
HERE
chmod 644 /etc/motd""",
    ),
}
