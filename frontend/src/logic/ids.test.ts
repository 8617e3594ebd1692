import { afterEach, expect, it, vi } from "vitest";
import { newId } from "./ids";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("makes an id where the browser has no randomUUID", () => {
  vi.stubGlobal("crypto", {
    getRandomValues: (bytes: Uint8Array) => bytes.fill(171),
  });
  expect(newId()).toBe("ab".repeat(16));
});
