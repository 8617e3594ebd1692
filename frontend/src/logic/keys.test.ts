import { expect, it } from "vitest";
import { actionOf, isBindable, keyActionOf } from "./keys";

const key = (name: string, more = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...more,
});

it("maps the table's keys", () => {
  expect(keyActionOf(key("1"))).toEqual({ type: "choose", slot: 0 });
  expect(keyActionOf(key("4"))).toEqual({ type: "choose", slot: 3 });
  expect(keyActionOf(key("w"))).toEqual({ type: "armed" });
  expect(keyActionOf(key("W"))).toEqual({ type: "armed" });
  expect(keyActionOf(key("b"))).toEqual({ type: "bare" });
  expect(keyActionOf(key("a"))).toEqual({ type: "avoid" });
  expect(keyActionOf(key("?"))).toEqual({ type: "help" });
  expect(keyActionOf(key("Enter"))).toEqual({ type: "confirm" });
  expect(keyActionOf(key(" "))).toEqual({ type: "confirm" });
  expect(keyActionOf(key("Escape"))).toEqual({ type: "unchoose" });
  expect(keyActionOf(key("ArrowUp"))).toEqual({ type: "move", key: "ArrowUp" });
});

it("ignores other keys and browser shortcuts", () => {
  for (const name of ["5", "0", "x", "Tab", "F5"])
    expect(keyActionOf(key(name))).toBeNull();
  expect(keyActionOf(key("w", { ctrlKey: true }))).toBeNull();
  expect(keyActionOf(key("a", { metaKey: true }))).toBeNull();
});

it("ignores held keys", () => {
  expect(keyActionOf(key("b", { repeat: true }))).toBeNull();
  expect(keyActionOf(key("ArrowLeft", { repeat: true }))).not.toBeNull();
});

it("uses a changed key and frees the default one", () => {
  const bindings = { armed: "f", confirm: " " };
  expect(keyActionOf(key("F"), bindings)).toEqual({ type: "armed" });
  expect(keyActionOf(key("w"), bindings)).toBeNull();
  expect(keyActionOf(key(" "), bindings)).toEqual({ type: "confirm" });
  expect(keyActionOf(key("h"), { bare: "h" })).toEqual({ type: "bare" });
});

it("knows which keys are used and which cannot be assigned", () => {
  expect(actionOf("A", {})).toBe("avoid");
  expect(actionOf("x", {})).toBeNull();
  for (const name of ["Tab", "ArrowUp", "Shift"]) expect(isBindable(name)).toBe(false);
  for (const name of ["x", "Escape", " ", "F2"]) expect(isBindable(name)).toBe(true);
});
