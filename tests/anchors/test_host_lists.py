"""Lists of hosts are found whole, with their scheme, their path and their query."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

LISTS = [
    "mongodb://svc@mg-east,mg-west,mg-spare/parcels?replicaSet=rs-plum-4&w=majority",
    "mongodb://svc:Fr0stBerry@db1.int:27017,db2.int:27018/orders?authSource=admin",
    "postgresql://reader@pg-a:5432,pg-b:5433/ledger?target_session_attrs=any",
    "jdbc:postgresql://pg-north:5432,pg-south:5432/parish",
    "redis+sentinel://s1:26379,s2:26379,s3:26379/larch",
    "PLAINTEXT://kb-west:9092,SSL://kb-west:9093",
    "https://e1.lan:2379,https://e2.lan:2379",
    "kfk-n1:9092,kfk-n2:9092,kfk-n3:9092",
    "zk-1:2181,zk-2:2181/plover",
    "10.3.0.5:11211,10.3.0.6:11211",
]


@pytest.mark.parametrize("value", LISTS)
@pytest.mark.parametrize(
    "template",
    [
        "{}\n",
        "url: {}\n",
        'x = "{}"\n',
        "cluster.nodes={}\n",
        "tool --seeds {} run\n",
        "We use {}.",
    ],
)
def test_a_list_of_hosts_is_found_whole(template, value):
    assert value in found(template.format(value))


def test_no_part_of_a_list_stands_in_for_it():
    text = "bootstrap.servers=k1:9092,k2:9092,k3:9092\n"
    assert found(text) == ["k1:9092,k2:9092,k3:9092"]
    assert found_in_pieces(text, 7) == found(text)


def test_the_parts_that_are_values_stay():
    text = "uri: mongodb://svc:Fr0stBerry@m1,m2/x?replicaSet=rs-lumen-07\n"
    assert {"Fr0stBerry", "rs-lumen-07"} <= set(found(text))


@pytest.mark.parametrize(
    "text",
    [
        "fields: name,email,age\n",
        "Use a:b,c:d or e:f there.\n",
        "Use a, b and c: 1, 2, 3.\n",
        "x: int,str\n",
    ],
)
def test_other_lists_are_none(text):
    assert found(text) == []


@pytest.mark.parametrize("piece", ["a:11,", "://a,", "a://b,", "a:11,a:", ",", "x://y:11,"])
def test_hostile_lists_take_linear_time(piece):
    found((piece * 40_000)[:40_000])
