import { expect, it } from "vitest";
import { defaults, parseSettings } from "./settings.svelte";

it("ignores invalid stored settings", () => {
  expect(parseSettings(null)).toEqual(defaults);
  expect(parseSettings("no json")).toEqual(defaults);
  expect(parseSettings("null")).toEqual(defaults);
  expect(parseSettings('{"sound": "loud", "other": 1}')).toEqual(defaults);
});

it("keeps valid stored settings", () => {
  expect(parseSettings('{"sound": true, "theme": "light"}')).toEqual({
    ...defaults,
    sound: true,
    theme: "light",
  });
});

it("keeps only known key actions", () => {
  expect(parseSettings('{"keys": {"armed": "f", "fly": "x", "bare": 3}}').keys).toEqual(
    {
      armed: "f",
    },
  );
});
