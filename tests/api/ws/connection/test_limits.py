"""Buckets and crowds."""

from api.ws.connection.limits import Bucket, Crowd, limits


def test_a_bucket_gives_a_burst_and_then_a_pace():
    bucket = Bucket(burst=20, per_second=5)
    assert [bucket.wait(100.0) for _ in range(20)] == [0.0] * 20
    assert 0.19 < bucket.wait(100.0) <= 0.2
    assert bucket.wait(100.21) == 0.0
    assert bucket.wait(100.21) > 0
    assert sum(bucket.wait(200.0) == 0.0 for _ in range(50)) == 20


def test_a_refused_one_costs_nothing():
    bucket = Bucket(burst=1, per_second=1)
    bucket.wait(0.0)
    for _ in range(100):
        bucket.wait(0.5)
    assert bucket.wait(1.01) == 0.0


def test_a_crowd_counts_by_name():
    crowd = Crowd()
    assert [crowd.enter("ada", 2) for _ in range(3)] == [True, True, False]
    assert crowd.enter("bob", 2)
    crowd.leave("ada")
    assert crowd.enter("ada", 2)


def test_the_limits_are_told(settings):
    settings.WS_BURST = 3
    assert limits()["burst"] == 3
    assert limits()["frame_bytes"] == 4096
    assert limits()["unsent_bytes"] == 256 * 1024
