"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

INFRASTRUCTURE: dict[str, tuple[str, ...]] = {
    "git-remotes": (
        """\
[submodule "vendor/fonts"]
	path = vendor/fonts
	url = ⟦!url|url of vendor/fonts⟧
	branch = main""",
        """\
$ git log --oneline -3
⟦!commit|commit of the hotfix⟧ (HEAD -> hotfix) Stop double booking
""",
        """\
Cloning into 'site'...
remote: Enumerating objects: 88, done.
fatal: unable to access '⟦!url|url that failed⟧/': SSL certificate problem""",
        "git remote set-url --push backup ssh://git@⟦!address/host|backup remote⟧/press.git",
        """\
To git.example.com:tools/scale
 ! [rejected]        ⟦!version|rejected tag⟧ -> upstream (already exists)
hint: Updates were rejected""",
        "git clone https://x-token:⟦!token/id|clone token⟧@git.lab.example/survey.git --depth 1",
    ),
    "kubernetes": (
        """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: mailer
data:
  SMTP_RELAY: "⟦!host/address|SMTP_RELAY⟧"
  RETRIES: "3\"""",
        """\
stringData:
  username: grafana
  password: ⟦!password/phrase|grafana password⟧
immutable: true""",
        """\
Events:
  Type     Reason   Message
  Warning  Failed   Failed to pull image "registry.example.net/tides:⟦!version/commit|tag that failed to pull⟧": not found""",
        """\
spec:
  nodeName: pi-kitchen
  volumes:
    - name: media
      hostPath:
        path: ⟦!path|hostPath of media⟧""",
        """\
$ kubectl -n auth get secret oidc -o jsonpath='{.data.clientSecret}'
⟦!base64|clientSecret of oidc⟧""",
        """\
    nodeSelector:
      topology/rack: east
    env:
    - name: LICENSE
      value: '⟦!serial/code/uuid|LICENSE⟧'
    - name: SEATS
      value: '5'""",
    ),
    "terraform": (
        """\
module "vpn" {
  source     = "./modules/vpn"
  peer_ip    = "⟦!address|peer_ip⟧"
  shared_key = var.shared_key
}""",
        """\
# terraform.tfvars
region    = "fra1"
do_token  = "⟦!token/id|do_token⟧"
instances = 2""",
        """\
aws_eip.nat: Refreshing state... [id=⟦!id/serial|id of the eip⟧]
No changes. Your infrastructure matches the configuration.""",
        """\
locals {
  ami        = "⟦!id|ami⟧"
  disk_gb    = 40
  monitoring = true
}""",
        """\
  backend "http" {
    address = "⟦!url|state address⟧"
    lock_method = "POST"
  }""",
        """\
data "vault_generic_secret" "tls" {
  path = "⟦!path|vault path⟧"
}""",
    ),
}
