import { expect, it } from "vitest";
import { actionOf, bindable, wishOf } from "./keys";

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

it("gives an action the key that was chosen for it, and frees its own", () => {
  const bindings = { armed: "f", confirm: " " };
  expect(wishOf(key("F"), bindings)).toEqual({ wish: "armed" });
  expect(wishOf(key("w"), bindings)).toBeNull();
  expect(wishOf(key(" "), bindings)).toEqual({ wish: "confirm" });
  expect(wishOf(key("h"), { bare: "h" })).toEqual({ wish: "bare" });
});

it("knows which keys are taken, and which cannot be given", () => {
  expect(actionOf("A", {})).toBe("avoid");
  expect(actionOf("x", {})).toBeNull();
  for (const name of ["Tab", "ArrowUp", "Shift"]) expect(bindable(name)).toBe(false);
  for (const name of ["x", "Escape", " ", "F2"]) expect(bindable(name)).toBe(true);
});
