"""The health checks /healthz, /readyz and /metrics."""

import pytest
from django.test import AsyncClient


async def test_healthz(async_client: AsyncClient):
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer["Cache-Control"] == "no-store"


async def test_healthz_is_503_until_all_processes_are_up(
    async_client: AsyncClient, monkeypatch, tmp_path
):
    ready = tmp_path / "ready"
    monkeypatch.setenv("PLAY_READY_FILE", str(ready))
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "starting"})
    ready.touch()
    assert (await async_client.get("/healthz")).status_code == 200


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
async def test_readyz(async_client: AsyncClient, settings):
    answer = await async_client.get("/readyz")
    redis = "ok" if settings.REDIS_URL else "unused"
    assert answer.status_code == 200
    assert answer.json() == {"database": "ok", "redis": redis}


@pytest.mark.django_db(transaction=True)
async def test_readyz_is_503_without_redis(async_client: AsyncClient, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = await async_client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"database": "ok", "redis": "down"}


async def test_health_checks_refuse_post(async_client: AsyncClient):
    assert (await async_client.post("/healthz")).status_code == 405


async def test_metrics_count_requests(async_client: AsyncClient):
    await async_client.get("/healthz")
    answer = await async_client.get("/metrics")
    assert answer.status_code == 200
    assert b"django_http_requests_total_by_method_total" in answer.content
