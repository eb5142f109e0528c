"""A ``value`` or a ``default`` is labelled by the name that stands before it."""

from __future__ import annotations

import pytest

from found_values import anchors_of

K8S = "env:\n  - name: DB_HOST\n    value: 10.2.0.9\n  - name: API_TOKEN\n    value: tok19abc\n"


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ('env:\n- name: API_TOKEN\n  value: "tok19abc"\n', "tok19abc", "API_TOKEN"),
        (K8S, "tok19abc", "API_TOKEN"),
        (K8S, "10.2.0.9", "DB_HOST"),
        ('variable "db_pass" {\n  type = string\n  default = "fox19"\n}\n', "fox19", "db_pass"),
        ('output "api_key" {\n  value = "redFox19"\n}\n', "redFox19", "api_key"),
        ('<add key="ApiKey" value="zz91kd"/>', "zz91kd", "ApiKey"),
        ('<property name="db.password" value="zz91kd" />\n', "zz91kd", "db.password"),
        ('{"name": "API_TOKEN", "value": "zz91kd"}', "zz91kd", "API_TOKEN"),
        ('{"name":"A_KEY","value":"zz91"},{"name":"B_KEY","value":"qq81zz"}', "qq81zz", "B_KEY"),
        ('{"Key": "AccessToken", "Value": "zz91kd"}', "zz91kd", "AccessToken"),
        # What names something else labels no value.
        ('{"name": "Ada"}\nvalue: zz91kd\n', "zz91kd", "value"),
        ("- name: Ada\n- value: zz91kd\n", "zz91kd", "value"),
    ],
)  # fmt: skip
def test_the_name_is_the_label(text, value, label):
    anchors = anchors_of(text)
    labels = {text[a.value.start : a.value.end]: text[a.label.start : a.label.end] for a in anchors}
    assert labels[value].strip(": ") == label
