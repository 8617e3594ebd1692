import { afterEach, expect, it, vi } from "vitest";
import { readItem, writeItem } from "./storage";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("stores, reads and removes a value", () => {
  writeItem("localStorage", "key", "value");
  expect(readItem("localStorage", "key")).toBe("value");
  writeItem("localStorage", "key", null);
  expect(readItem("localStorage", "key")).toBeNull();
});

it("reads null and writes nothing where storage is refused", () => {
  const refuse = () => {
    throw new DOMException("refused");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse });
  expect(() => writeItem("sessionStorage", "key", "value")).not.toThrow();
  expect(readItem("sessionStorage", "key")).toBeNull();
});
