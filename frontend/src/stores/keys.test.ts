import { expect, it } from "vitest";
import { wishOf } from "./keys";

const key = (name: string, more = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...more,
});

it("reads the keys of the table", () => {
  expect(wishOf(key("1"))).toEqual({ wish: "choose", slot: 0 });
  expect(wishOf(key("4"))).toEqual({ wish: "choose", slot: 3 });
  expect(wishOf(key("w"))).toEqual({ wish: "armed" });
  expect(wishOf(key("W"))).toEqual({ wish: "armed" });
  expect(wishOf(key("b"))).toEqual({ wish: "bare" });
  expect(wishOf(key("a"))).toEqual({ wish: "avoid" });
  expect(wishOf(key("?"))).toEqual({ wish: "help" });
  expect(wishOf(key("Enter"))).toEqual({ wish: "confirm" });
  expect(wishOf(key(" "))).toEqual({ wish: "confirm" });
  expect(wishOf(key("Escape"))).toEqual({ wish: "unchoose" });
  expect(wishOf(key("ArrowUp"))).toEqual({ wish: "move", key: "ArrowUp" });
});

it("leaves other keys, and the browser's own, alone", () => {
  for (const name of ["5", "0", "x", "Tab", "F5"]) expect(wishOf(key(name))).toBeNull();
  expect(wishOf(key("w", { ctrlKey: true }))).toBeNull();
  expect(wishOf(key("a", { metaKey: true }))).toBeNull();
});

it("never plays on a key that is held down", () => {
  expect(wishOf(key("b", { repeat: true }))).toBeNull();
  expect(wishOf(key("ArrowLeft", { repeat: true }))).not.toBeNull();
});
