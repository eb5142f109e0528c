"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

INFRASTRUCTURE: dict[str, tuple[str, ...]] = {
    "kubernetes": (
        """\
apiVersion: v1
kind: ConfigMap
metadata: {name: tram-board}
data:
  board.ini: |
    line=4
    feed=⟦!url|feed of the tram board⟧""",
        """\
stringData:
  username: ledger
  passphrase: "⟦!words/password|passphrase⟧"
kind: Secret""",
        """\
  Normal   Pulling    2m   kubelet  Pulling image
  Warning  Failed     1m   kubelet  Failed to pull image "covers@⟦!digest|digest of the failed image⟧": not found""",
        """\
$ kubectl get svc gateway
NAME      TYPE           CLUSTER-IP   EXTERNAL-IP      PORT(S)
gateway   LoadBalancer   None         ⟦!host/ipv6|EXTERNAL-IP of gateway⟧   443/TCP""",
        """\
kind: Ingress
metadata:
  annotations:
    cert-manager.io/cluster-issuer: house
spec:
  tls:
    - hosts: [⟦!host|tls host⟧]""",
        """\
metadata:
  name: batch-4
  uid: ⟦!uuid|uid of batch-4⟧
  labels: {app: batch}
status: {phase: Succeeded}""",
        """\
kind: ServiceAccount
metadata:
  name: archiver
  annotations:
    eks.amazonaws.com/role-arn: ⟦!arn|role-arn of archiver⟧""",
        """\
        volumeMounts:
        - mountPath: ⟦!path|mountPath⟧
          name: spool
          readOnly: false
        resources: {limits: {cpu: "1"}}""",
        """\
kubeadm join cp.lab.example:6443 --token ⟦id|join token⟧ \\
    --discovery-token-ca-cert-hash ⟦!digest|ca cert hash⟧""",
        """\
spec:
  jobTemplate:
    spec:
      template:
        spec:
          containers:
          - args: ["--notify", "⟦!email|address to notify⟧", "--weekly"]""",
        """\
helm.sh/chart: orchard-⟦!version|version of the orchard chart⟧
app.kubernetes.io/managed-by: Helm""",
        """\
kind: NetworkPolicy
spec:
  ingress:
    - from: [{ipBlock: {cidr: ⟦!cidr|allowed cidr⟧}}]
  policyTypes: [Ingress]""",
        """\
data:
  tls.crt: ""
  hmac: ⟦!base64|hmac⟧
immutable: true
kind: Secret""",
    ),
    "terraform": (
        """\
locals {
  team     = "harbour"
  page_key = "⟦!opaque|page_key⟧"
  tags     = { cost = "low" }
}""",
        """\
module "bastion" {
  source   = "./bastion"
  version  = "⟦!version|version of bastion⟧"
  allow_to = [for s in var.subnets : s.id]
}""",
        """\
  # random_id.suffix will be updated in-place
  ~ resource "random_id" "suffix" {
        id  = "keep"
      ~ hex = "none" -> "⟦!hex|new hex of the suffix⟧"
    }""",
        """\
backend "s3" {
  bucket     = "states"
  kms_key_id = "⟦!arn|kms_key_id⟧"
  encrypt    = true
}""",
        """\
null_resource.warmup: Refreshing state... [id=⟦!digits/uuid|id of warmup⟧]
Apply complete!""",
        """\
# terraform.tfvars
admin_cidr = "⟦!cidr|admin_cidr⟧"
zones      = 3
spot       = true""",
        """\
resource "random_password" "db" {
  length  = 20
  keepers = { rotated = "⟦!moment/time|moment of the keepers' rotation⟧" }
}""",
        """\
Outputs:

gateway = {
  "endpoint" = "⟦!address/host|endpoint of the gateway⟧"
  "ready" = true
}""",
        """\
user_data = <<-EOT
  #!/bin/bash
  echo "pairing phrase: ⟦!phrase|pairing phrase⟧" > /etc/motd
  systemctl restart motd
EOT""",
        """\
import {
  to = github_repository.covers
  id = "⟦!id/record|id to import⟧"
}""",
        """\
data "http" "rules" {
  url = "⟦!url|url of the rules⟧"
  request_headers = { Accept = "text/plain" }
}""",
        """\
resource "aws_route53_record" "mail" {
  name    = "post"
  type    = "AAAA"
  records = ["⟦!ipv6|record of post⟧"]
}""",
        """\
variable "webhook" { default = "⟦!url/token|default of webhook⟧" } # override in ci
variable "seats"   { default = 4 }""",
    ),
}
