import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Account } from "../../api/accounts";
import { follow, preferencesOf, settingsOf } from "./preferences.svelte";
import { session } from "../accounts/session.svelte";
import { change, defaults, adopt, settings } from "./settings.svelte";

const account = (more: Partial<Account> = {}): Account => ({
  id: "a",
  name: "Ada",
  email: null,
  is_guest: false,
  is_bot: false,
  is_verified: true,
  staff_role: "",
  preferences: {},
  notices: 0,
  created_at: "2026-01-01T00:00:00Z",
  ...more,
});
const sent: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  sent.length = 0;
  adopt(defaults);
  session.account = null;
  follow(null);
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json(account());
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("names settings as the server does, and back", () => {
  adopt({ bigText: true, ruleset: "" });
  expect(preferencesOf(["bigText", "ruleset", "sound"])).toEqual({
    big_text: true,
    ruleset: null,
    sound: false,
  });
  const found = settingsOf({ big_text: true, theme: "light", colour: "red" });
  expect(found).toEqual({ bigText: true, theme: "light" });
});

it("takes over what the account prefers", () => {
  follow(account({ preferences: { theme: "contrast" } }));
  expect(settings.theme).toBe("contrast");
});

it("sends changes together, once there is an account", async () => {
  change("sound", true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  session.account = account({ preferences: { theme: "dark" } });
  follow(session.account);
  change("motion", "none");
  change("bigText", true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([{ preferences: { motion: "none", big_text: true } }]);
});

it("gives a new guest what this device has, but nobody else's account", async () => {
  adopt({ theme: "light" });
  session.account = account({ id: "b" });
  follow(session.account);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  session.account = account({ id: "c", is_guest: true });
  follow(session.account);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([{ preferences: { theme: "light" } }]);
});
