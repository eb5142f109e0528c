"""Names with a number under labels that promise nothing, dotted paths, numbers of commands."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

NAMES = [
    ("index_name: harvest-orchid-59\n", "harvest-orchid-59"),
    ("checkpoint: ckpt-lark-2200\n", "ckpt-lark-2200"),
    ("train --run-name sweep-otter-12\n", "sweep-otter-12"),
    ("restore --resume-from run-teal-0317-b\n", "run-teal-0317-b"),
    ('"workflow": "refund-batch-b7"\n', "refund-batch-b7"),
    ("12:00 INFO worker thread=THR-pelican-640 started\n", "THR-pelican-640"),
    ("feature_flag: checkout_v2_cedar\n", "checkout_v2_cedar"),
    ("tags:\n  - macos-runner-c7\n  - linux\n", "macos-runner-c7"),
    ("nodes:\n- loom-press-4\n- kiln-press-9\n", "kiln-press-9"),
    ('{"nodes": ["loom-press-4", "spare"]}\n', "loom-press-4"),
    ("consumer_group: invoice-readers-b\n", "invoice-readers-b"),
    ("url: x://h/y?replicaSet=rs-lumen-07&w=1\n", "rs-lumen-07"),
]
PATHS = [
    (
        "billing.policy.class=com.oakfield.billing.v3.LateFeePolicy\n",
        "com.oakfield.billing.v3.LateFeePolicy",
    ),
    ("handler: parcels.workers.invoices.NightlyRun\n", "parcels.workers.invoices.NightlyRun"),
    ("DJANGO_SETTINGS_MODULE=shop.settings.staging\n", "shop.settings.staging"),
    ('"entrypoint": "acme.ledger.cli:main"\n', "acme.ledger.cli:main"),
    ('<bean class="se.fjall.billing.LateFee"/>\n', "se.fjall.billing.LateFee"),
    ("run --main-class org.sandpiper.jobs.Reindex\n", "org.sandpiper.jobs.Reindex"),
    ("handlerClass: io.tern.hooks.RetryHook\n", "io.tern.hooks.RetryHook"),
]
NUMBERS = [
    ("adduser -D -u 10917 scanner\n", "10917"),
    ("groupadd --gid 30177 scanners\n", "30177"),
    ("chown -R 10917:20881 /data\n", "10917:20881"),
    ("docker run --publish 9417:80 img\n", "9417:80"),
    ("docker run --user 10917:20881 img\n", "10917:20881"),
    ("ssh -N -L 13306:db-1:3306 jump\n", "13306:db-1:3306"),
    ("kubectl port-forward pod/y 19417:80\n", "19417:80"),
]


@pytest.mark.parametrize(("text", "value"), NAMES + PATHS + NUMBERS)
def test_it_is_found(text, value):
    assert value in found(text)
    assert found_in_pieces(text, 11) == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "level: debug\nmode: read-only\npolicy: always\ntype: web-server\n",
        "cipher: aes-256-gcm\nmodel: resnet-50\nimage_name: python-3-slim\n",
        "dependencies:\n  - flake8-import-order\n  - types-colorama\n",
        "Requires-Dist: pep8-naming\n",
        "tags:\n  - python-3\n  - how-to\n",
        "x = batch_norm_1\nrun(first=tmp_val_2)\n",
        '<option name="allow_rgb10_configs" />\n',
        "handler: logging.handlers.RotatingFileHandler\ndriver: bridge\n",
        "    handler = parcels.views.index\n",
        "from parcels.views import handler\nhandler(parcels.views.index)\n",
        "adduser --uid 1000 app\ndocker run -p 8080:80 nginx\n",
    ],
)
def test_techniques_modes_and_code_are_none(text):
    assert [value for value in found(text) if value not in ("1000", "8080:80")] == []


@pytest.mark.parametrize(
    "piece", ["- a-1\n", "a: b-c-1 ", "class=a.", "handler: a.b.c", "adduser -u 1", ": [a-b-1, "]
)
def test_hostile_names_take_linear_time(piece):
    found((piece * 40_000)[:40_000])
