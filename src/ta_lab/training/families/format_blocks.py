"""Blocks of several fields: configuration, payloads, headers, tables, code and commands.

A pattern is a line, split at broken bars: sources ("YAML|config": what a person calls the block),
name styles, opening, one field, joint, closing. In a field ``{n}`` is the name, ``{v}`` the value,
``{q}`` the value in quotes unless it is a number or a truth value; ``~w~`` and its like are random
content.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from .format_keys import Field, fill

Pattern = tuple[str, ...]
BREAK = "\ue100"  # stands where a block may be cut, between two of its fields


def rows(*lines: str) -> tuple[Pattern, ...]:
    """Patterns from lines in which a broken bar separates the parts."""
    return tuple(tuple(line.split("¦")) for line in lines)


FLAT: tuple[Pattern, ...] = rows(
    'JSON|JSON object|payload|JSON document¦snake camel kebab words¦{¦"{n}": {q}¦, ¦}',
    'JSON|JSON object|payload|JSON document¦snake camel kebab¦{¦"{n}":{q}¦,¦}',
    'JSON|JSON object|payload|JSON document|config¦snake camel kebab¦{\n¦  "{n}": {q}¦,\n¦\n}',
    'JSON|JSON object|payload|JSON document|settings¦snake camel pascal¦{\n¦    "{n}": {q}¦,\n¦\n}',
    'JSON|JSON object|payload|JSON document¦snake camel kebab¦{"~w~": {"~w~": {¦"{n}": {q}¦, ¦}}}',
    'JSON|JSON object|payload|JSON document¦snake camel kebab¦{\n  "~w~": ~n~,\n  "~w~": {\n¦'
    '    "{n}": {q}¦,\n¦\n  }\n}',
    'JSON|JSON object|payload|JSON document¦snake camel kebab¦{"~w~": ["~w~", "~w~"], "~w~": [{¦'
    '"{n}": {q}¦, ¦}]}',
    'message|event|JSON¦snake camel kebab¦{"body": "{¦\\"{n}\\": \\"{v}\\"¦, ¦}"}',
    'API response|response¦snake camel kebab¦{"ok": true, "result": {¦"{n}": {q}¦, ¦}}',
    'JSON lines|records¦snake camel kebab¦¦{"name": "{n}", "value": {q}}¦\n¦',
    'JSON|list¦snake words¦[¦{"key": "{n}", "value": {q}}¦, ¦]',
    'JSON|pairs¦snake camel kebab¦[¦["{n}", {q}]¦, ¦]',
    "YAML|YAML file|config¦snake camel kebab¦¦{n}: {v}¦\n¦",
    "YAML|YAML file|config¦snake camel kebab¦---\n# ~w~ ~w~\n~w~:\n¦  {n}: {q}¦\n¦",
    "YAML|manifest¦snake camel kebab¦~w~:\n  - ~w~\n  - ~w~\n~w~:\n  ~w~:\n¦    {n}: {v}¦\n¦",
    "YAML|values file¦snake camel kebab¦~w~:\n¦  {n}: {v}  # ~w~ ~w~¦\n¦",
    "YAML|list¦snake camel kebab¦~w~:\n¦  - name: {n}\n    value: {q}¦\n¦",
    "YAML|map¦snake camel kebab¦~w~: {¦{n}: {q}¦, ¦}",
    "INI file|config¦snake camel kebab¦[~w~]\n¦{n} = {v}¦\n¦",
    "INI file|config¦snake camel kebab¦; ~w~ ~w~\n[~w~]\n¦{n}={v}¦\n¦",
    "TOML|config¦snake kebab¦[~w~.~w~]\n¦{n} = {q}¦\n¦",
    "TOML|inline table¦snake kebab¦~w~ = { ¦{n} = {q}¦, ¦ }",
    "env file|environment|.env¦env¦¦{n}={v}¦\n¦",
    "env file|environment¦env¦# ~w~\n¦{n}={q}¦\n¦",
    "shell script|environment|profile¦env¦#!/bin/bash\n¦export {n}={q}¦\n¦",
    "shell session|environment¦env¦$ env | sort\n¦{n}={v}¦\n¦",
    "fish config|shell¦env¦¦set -x {n} {q}¦\n¦",
    "PowerShell script|shell¦env pascal¦¦$env:{n} = {q}¦\n¦",
    "properties file|properties¦dotted camel¦¦{n}={v}¦\n¦",
    "properties file|properties¦dotted¦# ~date~\n¦~s~.{n} = {v}¦\n¦",
    "HTTP request|request|headers¦header xheader¦GET /~w~/~n~ HTTP/1.1\nHost: ~host~\n¦"
    "{n}: {v}¦\n¦\nAccept: */*\n",
    "request|request headers¦header xheader¦"
    "POST /~w~ HTTP/1.1\nContent-Type: text/plain\n¦{n}: {v}¦\n¦\nContent-Length: ~n~\n",
    "HTTP response|response|headers¦header xheader¦HTTP/1.1 200 OK\nServer: nginx\n¦"
    "{n}: {v}¦\n¦\nCache-Control: no-store\n",
    "response|response headers|HTTP/2 response¦kebab¦HTTP/2 404\n¦{n}: {v}¦\n¦",
    "curl output|request¦header xheader¦"
    "* Connected to ~host~ (~ip~) port 443\n> GET /~w~\n¦> {n}: {v}¦\n¦\n< HTTP/1.1 200 OK\n",
    "curl output|response¦header kebab¦> Accept: */*\n>\n< HTTP/2 201\n¦< {n}: {v}¦"
    "\n¦\n* Connection #0 to host ~host~ left intact",
    "curl command|command¦header xheader¦curl -s https://~host~/~w~¦ -H '{n}: {v}'¦¦",
    "curl command|form¦snake¦curl -X POST https://~host~/~w~ \\\n¦  -d {n}={v}¦ \\\n¦",
    "query string|URL|link¦snake camel kebab¦https://~host~/~w~?¦{n}={v}¦&¦",
    "cookie|Cookie header¦snake kebab¦Cookie: ¦{n}={v}¦; ¦",
    "response|cookies¦snake camel¦HTTP/1.1 302 Found\n¦"
    "Set-Cookie: {n}={v}; Path=/; HttpOnly¦\n¦\nLocation: /~w~",
    "XML|XML document¦snake camel kebab pascal¦<~w~>\n¦  <{n}>{v}</{n}>¦\n¦\n</~w~>",
    'XML|XML element¦snake camel kebab¦<~w~ ¦{n}="{v}"¦ ¦/>',
    'XML|app config¦snake dotted pascal¦<appSettings>\n¦  <add key="{n}" value="{v}"/>¦\n¦'
    "\n</appSettings>",
    'XML|resources¦snake¦<resources>\n¦  <string name="{n}">{v}</string>¦\n¦\n</resources>',
    "plist|XML¦camel pascal¦<dict>\n¦<key>{n}</key>\n<string>{v}</string>¦\n¦\n</dict>",
    "SOAP message|XML¦camel pascal¦<soap:Body><m:~W~>¦<m:{n}>{v}</m:{n}>¦¦</m:~W~></soap:Body>",
    'HTML|page source|form¦snake camel¦<form action="/~w~">\n¦'
    '<input type="hidden" name="{n}" value="{v}">¦\n¦\n</form>',
    'HTML|page head¦kebab¦<head>\n¦<meta name="{n}" content="{v}">¦\n¦\n</head>',
    'HTML|page source|element¦kebab¦<div class="~w~" ¦data-{n}="{v}"¦ ¦>~w~</div>',
    "HTML|page¦title words¦<dl>¦<dt>{n}</dt><dd>{v}</dd>¦¦</dl>",
    "HTML table|table¦title words¦<table>¦<tr><td>{n}</td><td>{v}</td></tr>¦¦</table>",
    "table|Markdown table¦words title snake¦| Field | Value |\n|---|---|\n¦| {n} | {v} |¦\n¦",
    "table|settings table¦snake env¦| Name | Content | Note |\n| --- | --- | --- |\n¦"
    "| `{n}` | `{v}` | ~w~ |¦\n¦",
    "table|output¦words snake¦+------+------+\n¦| {n} | {v} |¦\n¦\n+------+------+",
    "CSV|CSV file¦snake words¦key,value\n¦{n},{v}¦\n¦",
    "CSV|export¦snake title¦field;value;~w~\n¦{n};{v};~n~¦\n¦",
    "notes|list¦words title¦¦- {n}: {v}¦\n¦",
    "notes|list¦words title¦## ~W~\n\n¦* **{n}**: `{v}`¦\n¦",
    "list|summary¦title¦~W~ ~w~:\n¦{n} : {v}¦\n¦",
    "list|notes¦words¦¦{n} -> {v}¦\n¦",
    "SQL|update|query¦snake¦UPDATE ~w~ SET ¦{n} = '{v}'¦, ¦ WHERE id = ~n~;",
    "SQL|query¦snake¦SELECT * FROM ~w~ WHERE ¦{n} = '{v}'¦ AND ¦ LIMIT ~n~;",
    "SQL|script¦snake¦BEGIN;\n¦SET ~w~.{n} = '{v}';¦\n¦\nCOMMIT;",
    "database output|row¦snake¦-[ RECORD 1 ]---\n¦{n} | {v}¦\n¦",
    "command line|command|flags¦kebab¦$ ~w~ ~w~ ¦--{n} {v}¦ ¦",
    "command line|command¦kebab snake¦~w~ run ¦--{n}={v}¦ ¦ --quiet",
    "command|flags¦kebab¦./~w~.sh \\\n¦  --{n} {q}¦ \\\n¦",
    "command|system properties¦dotted camel¦java ¦-D{n}={v}¦ ¦ -jar ~w~.jar",
    "command|helm command¦camel dotted¦helm upgrade ~w~ ./~w~ ¦--set {n}={v}¦ ¦",
    "Python code|code|settings module¦env¦import os\n\n¦{n} = {q}¦\n¦",
    'Python code|dict|code¦snake¦~w~ = {\n¦    "{n}": {q},¦\n¦\n}',
    "Python code|call|code¦snake¦client = ~W~(¦{n}={q}¦, ¦)",
    "Python code|class|code¦snake¦class ~W~:\n¦    {n}: str = {q}¦\n¦",
    'Python code|test¦snake¦def test_~w~():\n¦    assert row["{n}"] == {q}¦\n¦',
    "repr|log|object¦snake¦~W~(¦{n}='{v}'¦, ¦)",
    "JavaScript code|code¦camel env¦¦const {n} = '{v}';¦\n¦",
    "JavaScript code|object|code¦camel¦export default {\n¦  {n}: {q},¦\n¦\n};",
    "TypeScript code|code¦camel¦¦export const {n}: string = {q};¦\n¦",
    "Go code|code|constants¦camel pascal¦const (\n¦\t{n} = {q}¦\n¦\n)",
    "Go code|struct¦pascal¦~w~ := ~W~{\n¦\t{n}: {q},¦\n¦\n}",
    "Java code|class|code¦env¦class ~W~ {\n¦  static final String {n} = {q};¦\n¦\n}",
    "C code|header file|code¦env¦#pragma once\n¦#define {n} {q}¦\n¦",
    "C code|code¦snake¦¦static const char *{n} = {q};¦\n¦",
    "Rust code|code¦env¦¦pub const {n}: &str = {q};¦\n¦",
    "Ruby code|hash|code¦snake¦~w~ = { ¦{n}: {q}¦, ¦ }",
    "PHP code|code¦env¦<?php\n¦define('{n}', '{v}');¦\n¦",
    "PHP code|array¦snake¦return [\n¦  '{n}' => '{v}',¦\n¦\n];",
    "Lua code|table¦snake¦return {\n¦  {n} = {q},¦\n¦\n}",
    "Kotlin code|code¦camel¦object ~W~ {\n¦  const val {n} = {q}¦\n¦\n}",
    "C# code|code¦pascal¦¦public const string {n} = {q};¦\n¦",
    "Dockerfile|image¦env¦FROM ~w~:~d~.~d~\n¦ENV {n}={v}¦\n¦\nCMD ./~w~",
    "Dockerfile|build¦env¦FROM ~w~\n¦ARG {n}={q}¦\n¦",
    "docker command|command¦env¦docker run --rm ¦-e {n}={v}¦ ¦ ~w~:~d~",
    "compose file|YAML¦env¦services:\n  ~s~:\n    image: ~w~\n    environment:\n¦"
    "      {n}: {v}¦\n¦",
    "compose file|YAML¦env¦  ~s~:\n    environment:\n¦      - {n}={v}¦\n¦",
    "manifest|deployment|YAML¦env¦kind: Deployment\nspec:\n  containers:\n  - env:\n¦"
    '    - name: {n}\n      value: "{v}"¦\n¦',
    "config map|manifest¦kebab env dotted¦"
    "kind: ConfigMap\nmetadata:\n  name: ~w~\ndata:\n¦  {n}: {q}¦\n¦",
    "manifest|annotations¦kebab¦metadata:\n  annotations:\n¦    ~w~.io/{n}: {q}¦\n¦",
    'Terraform file|Terraform¦snake¦resource "~w~" "~w~" {\n¦  {n} = {q}¦\n¦\n}',
    "tfvars|Terraform variables¦snake¦¦{n} = {q}¦\n¦",
    "Terraform output|outputs¦snake¦Outputs:\n\n¦{n} = {q}¦\n¦",
    'Terraform file|variables¦snake¦¦variable "{n}" {\n  default = {q}\n}¦\n¦',
    "workflow|pipeline|YAML¦env¦jobs:\n  ~w~:\n    env:\n¦      {n}: {v}¦\n¦",
    'unit file|service file¦env¦[Service]\n¦Environment="{n}={v}"¦\n¦\nUser=~w~',
    "Makefile|build file¦env¦¦{n} := {v}¦\n¦\nall: ~w~",
    "playbook|Ansible vars¦snake¦- hosts: ~w~\n  vars:\n¦    {n}: {q}¦\n¦",
    "inventory|hosts file¦snake¦~host~ ¦{n}={v}¦ ¦",
    "nginx config|config¦snake kebab¦server {\n¦  set ${n} {q};¦\n¦\n}",
    "log|log line¦snake camel¦~ts~ ~lv~ ~w~ ¦{n}={v}¦ ¦",
    "log|log line¦snake¦level=~lv~ ts=~ts~ ¦{n}={q}¦ ¦ msg=~w~",
    'log|log line|JSON log¦snake camel¦{"level":"~lv~","time":"~ts~",¦"{n}":{q}¦,¦'
    ',"msg":"~w~ ~w~"}',
    "log|log line¦camel¦~t~ [~w~-~d~] ~lv~ c.~w~.~W~ - ~w~ {¦{n}={v}¦, ¦}",
    "log|log line¦words¦[~ts~] ~lv~: ~w~ ~w~ (¦{n}: {v}¦, ¦)",
    "text proto|message¦snake¦~w~ {\n¦  {n}: {q}¦\n¦\n}",
    "Lisp config|config¦kebab¦(~w~ ¦(:{n} {q})¦ ¦)",
    "BibTeX|entry¦flat¦@misc{~w~,\n¦  {n} = {{v}},¦\n¦\n}",
    'git config|config¦flat¦[~w~ "~w~"]\n¦\t{n} = {v}¦\n¦',
    "SSH config|config¦pascal¦Host ~w~\n¦  {n} {v}¦\n¦",
    'registry export|registry¦pascal¦[HKEY_LOCAL_MACHINE\\~W~]\n¦"{n}"="{v}"¦\n¦',
    "status output|output¦title¦$ ~w~ status\n¦  {n}:   {v}¦\n¦",
    "describe output|output¦title¦Name:  ~w~\n¦{n}:  {v}¦\n¦\nEvents:  <none>",
    "front matter|page¦snake kebab¦---\n¦{n}: {v}¦\n¦\n---\n# ~W~",
    "docstring|comment¦snake camel¦/**\n¦ * @{n} {v}¦\n¦\n */",
    'test fixture|Gherkin¦words¦Scenario: ~w~\n¦  Given the {n} is "{v}"¦\n¦',
)
# Sources, styles, opening, before, name, joint, rule, before values, value, joint, closing.
COLUMNS: tuple[Pattern, ...] = rows(
    "CSV|CSV file|row¦snake camel title¦¦{n}¦,¦\n¦{v}¦",
    "TSV|file¦snake¦¦{n}¦\t¦\n¦{v}¦",
    'CSV|export¦snake words¦¦"{n}"¦;¦\n¦"{v}"¦',
    "SQL|insert|INSERT statement¦snake¦INSERT INTO ~w~ (¦{n}¦, ¦)\nVALUES (¦'{v}'¦);",
    "query result|database output¦snake¦ ¦{n}¦ | ¦\n------+------\n ¦{v}¦\n(1 row)",
    "table|Markdown table¦words title snake¦| ¦{n}¦ | ¦ |\n|---|---|\n| ¦{v}¦ |",
    "terminal output|listing¦env¦$ ~w~ get ~w~\n¦{n}¦   ¦\n¦{v}¦",
)


def breakable(joint: str) -> str:
    """A joint with the break in it, before its white space."""
    mark = len(joint.rstrip()) if joint.rstrip() not in ("&", "|", "") else 0
    return joint[:mark] + BREAK + joint[mark:]


def put_field(template: str, field: Field) -> str:
    """A field's text: its name and value in a template."""
    quoted = field.value if field.bare else f'"{field.value}"'
    text = template.replace("{n}", field.name).replace("{q}", quoted)
    return text.replace("{v}", field.value)


def flat_block(
    rng: random.Random, pattern: Pattern, fields: Sequence[Field], words: Sequence[str]
) -> str:
    """The text of fields in one pattern."""
    _, _, opening, each, joint, closing = pattern
    body = breakable(joint).join(put_field(fill(rng, each, words), field) for field in fields)
    return fill(rng, opening, words) + body + fill(rng, closing, words)


def column_block(
    rng: random.Random, index: int, fields: Sequence[Field], words: Sequence[str]
) -> str:
    """The text of fields in columns: all names, then all values."""
    _, _, opening, name, joint, rule, value, closing = COLUMNS[index]
    names = joint.join(put_field(name, field) for field in fields)
    values = joint.join(put_field(value, field) for field in fields)
    return fill(rng, opening, words) + names + rule + values + closing
