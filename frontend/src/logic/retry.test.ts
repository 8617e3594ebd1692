import { expect, it } from "vitest";
import { backoffMs } from "./retry";

const backoff = { firstMs: 400, maxMs: 8_000 };

it("doubles the delay up to a limit", () => {
  const most = [1, 2, 3, 4, 5, 6, 9].map((attempt) =>
    backoffMs(attempt, backoff, () => 1),
  );
  expect(most).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000]);
});

it("adds jitter", () => {
  expect(backoffMs(1, backoff, () => 0)).toBe(240);
});
