import { expect, it } from "vitest";
import { defaults, parseSettings } from "./settings.svelte";

it("forgives what was kept wrongly", () => {
  expect(parseSettings(null)).toEqual(defaults);
  expect(parseSettings("no json")).toEqual(defaults);
  expect(parseSettings("null")).toEqual(defaults);
  expect(parseSettings('{"sound": "loud", "other": 1}')).toEqual(defaults);
});

it("keeps what was kept rightly", () => {
  expect(parseSettings('{"sound": true, "theme": "light"}')).toEqual({
    ...defaults,
    sound: true,
    theme: "light",
  });
});

it("keeps only keys of the table's", () => {
  expect(parseSettings('{"keys": {"armed": "f", "fly": "x", "bare": 3}}').keys).toEqual(
    {
      armed: "f",
    },
  );
});
