import { expect, it } from "vitest";
import { defaults, parse } from "./settings.svelte";

it("forgives what was kept wrongly", () => {
  expect(parse(null)).toEqual(defaults);
  expect(parse("no json")).toEqual(defaults);
  expect(parse("null")).toEqual(defaults);
  expect(parse('{"sound": "loud", "other": 1}')).toEqual(defaults);
});

it("keeps what was kept rightly", () => {
  expect(parse('{"sound": true, "theme": "light"}')).toEqual({
    ...defaults,
    sound: true,
    theme: "light",
  });
});

it("keeps only keys of the table's", () => {
  expect(parse('{"keys": {"armed": "f", "fly": "x", "bare": 3}}').keys).toEqual({
    armed: "f",
  });
});
