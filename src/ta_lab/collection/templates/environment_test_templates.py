"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""

ENVIRONMENT: dict[str, tuple[str, ...]] = {
    "env": (
        """\
DJANGO_DEBUG=False
DJANGO_SECRET_KEY='⟦!password/nanoid/base64|DJANGO_SECRET_KEY⟧'
DJANGO_ALLOWED_HOSTS=*""",
        """\
# copy to .env and fill in
MQTT_CLIENT=roof
MQTT_USER=⟦!username|MQTT_USER⟧
MQTT_QOS=1""",
        """\
export S3_FORCE_PATH_STYLE=1
export S3_ACCESS=⟦token/code|S3_ACCESS⟧
export S3_HIDDEN=⟦!base64/id|S3_HIDDEN⟧""",
        """\
INFLUX_ORG=farm
INFLUX_URL=⟦!url|INFLUX_URL⟧ # behind the vpn
INFLUX_BATCH=500""",
        """\
PAGER_NUMBER="⟦!telephone/phone|PAGER_NUMBER⟧"
PAGER_REPEAT=3
PAGER_VOICE=low""",
        """\
VERSION=⟦!version|VERSION⟧
CHANNEL=edge
SPLASH=no""",
        """\
ETHERBASE=0x⟦!hex|digits of ETHERBASE after 0x⟧
NETWORK=rehearsal
GAS=auto""",
        """\
ALLOW_FROM=⟦!cidr/ipv6|ALLOW_FROM⟧
RATE=10r/s
BURST=20""",
        """\
KEYCLOAK_REALM=school
KEYCLOAK_CLIENT_UUID=⟦!uuid|KEYCLOAK_CLIENT_UUID⟧
KEYCLOAK_SSL=none
JAVA_OPTS=-Xmx512m""",
        """\
LICENSE_HOLDER="Wren & Daughters"
LICENSE="⟦!serial/code/filing|LICENSE⟧"
SEATS=4""",
        """\
REPORT_DIR=⟦!path|REPORT_DIR⟧
REPORT_LANG=nb
REPORT_LOGO=

UMASK=027""",
        """\
ROLE_ARN=⟦!arn|ROLE_ARN⟧
REGION=eu-north-1
RETRY_MODE=adaptive""",
        """\
MEMBERSHIP_FEE='⟦!amount|MEMBERSHIP_FEE⟧'
MEMBERSHIP_YEARS=2
REMIND=true""",
    ),
    "shell": (
        """\
for f in *.csv; do wc -l "$f"; done
PGPASSWORD='⟦!password/id|PGPASSWORD⟧' psql -U stock -c 'select 1'
echo finished""",
        """\
if [ "$(uname)" = Darwin ]; then
  : "${SIGNING_IDENTITY:=⟦!hex/serial|default of SIGNING_IDENTITY⟧}"
fi
codesign --deep app""",
        """\
cat > ~/.hut <<'EOF'
place hut
position ⟦!coordinates|position of the hut⟧
EOF
chmod 600 ~/.hut""",
        """\
mira@quarry:~$ hostname -I
⟦!ipv6|address that hostname printed⟧
mira@quarry:~$ logout""",
        """\
C:\\> set PLOT_KEY=⟦!token/nanoid|PLOT_KEY⟧
C:\\> plot.exe /quiet
C:\\> exit""",
        """\
> $Session.Cookie = '⟦!opaque|session cookie⟧'
> Invoke-Inventory -Session $Session
Rows: 12""",
        """\
set -gx EDITOR hx
set -gx NOTES_REMOTE ⟦!url|NOTES_REMOTE⟧
fish_add_path ~/bin""",
        """\
# m h dom mon dow command
*/10 * * * * root /usr/local/bin/ping-home ⟦!uuid/hex|argument of ping-home⟧ >/dev/null""",
        """\
local -r archive="⟦!path|archive⟧"
[[ -f $archive ]] || exit 3
tar -tf "$archive" | head""",
        """\
$ openssl dgst -sha256 image.iso
SHA2-256(image.iso)= ⟦!hex|digest of image.iso⟧
$ rm image.iso""",
        """\
$ ssh-keygen -lf host.pub
256 ⟦!fingerprint|fingerprint of host.pub⟧ root@mill (ED25519)""",
        """\
read -rsp "Passphrase: " p   # it is ⟦!phrase/words|passphrase in the comment⟧ until monday
unlock "$p"
unset p""",
        """\
$ id; git rev-parse --short=9 HEAD
uid=1000(mira) gid=1000(mira)
⟦!commit|revision that git printed⟧
$""",
        """\
export HISTSIZE=5000 LESS=-R ROUTER_ADMIN="⟦!password/phrase|ROUTER_ADMIN⟧" PAGER=less
umask 077""",
    ),
}
