"""Names that a sentence gives to what an agent works with."""

from __future__ import annotations

import pytest

from found_values import anchors_of

NAMED = [
    ("The Wi-Fi network is called BlueHeron_Guest and it is open.", "BlueHeron_Guest"),
    ("The job name is nightly-etl-eu and it runs at noon.", "nightly-etl-eu"),
    ("our tenant is acme-prod-eu-west", "acme-prod-eu-west"),
    ("the cluster is called titan-07", "titan-07"),
    ("Please drain the queue named invoices today.", "invoices"),
    ("the release is called Halcyon.", "Halcyon"),
    ("They keep a table called `orders_archive` for audits", "orders_archive"),
    ("The bucket for the exports is now named ml_exports_eu, mind the region.", "ml_exports_eu"),
    ("The host is “db-main”.", "db-main"),
    ("kubectl get pods -n payments-eu -o wide", "payments-eu"),
    ("terraform workspace select ivory-tower", "ivory-tower"),
    ("aws --profile blue-heron s3 ls", "blue-heron"),
    ("export KUBE_CONTEXT=heron-staging", "heron-staging"),
    ("  - secretRef:\n      name: tern-db", "tern-db"),
    ("serviceAccountName: tern-runner", "tern-runner"),
    ("git switch -c quiet-harbor", "quiet-harbor"),
]
OTHERS = [
    "The server is up-to-date.",
    "context: read-only",
    "git checkout my-branch",
    "kubectl -n kube-system get pods",
    "git checkout -b new-feature",
    "steps:\n  name: tern-db",
    "the service is read-only",
    "the image is state-of-the-art",
    "the branch was force-pushed",
    "The model is open-source and the group is non-profit.",
    "The database is PostgreSQL.",
    "this module is called whenever a node is called a leaf",
    "the group is called upon to answer",
    "the network is peer-to-peer",
    "a method of the instance is “called” twice",
    "environments, e.g. an environment called e.g. test",
    "The account holder is well-known in the region of the north.",
]


def resources(text: str) -> list[str]:
    found = anchors_of(text + "\n")
    return [text[a.value.start : a.value.end] for a in found]


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_a_resource_and_its_name(text, name):
    assert resources(text) == [name]


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_said_of_a_resource_is_no_name(text):
    assert resources(text) == []
