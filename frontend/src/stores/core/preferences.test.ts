import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Account } from "../../api/accounts";
import {
  applyAccountPreferences,
  preferencesOf,
  settingsOf,
} from "./preferences.svelte";
import { session } from "../accounts/session.svelte";
import { setSetting, defaults, mergeSettings, settings } from "./settings.svelte";

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
  mergeSettings(defaults);
  session.account = null;
  applyAccountPreferences(null);
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json(account());
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("converts settings to preferences and back", () => {
  mergeSettings({ bigText: true, ruleset: "" });
  expect(preferencesOf(["bigText", "ruleset", "sound"])).toEqual({
    big_text: true,
    ruleset: null,
    sound: false,
  });
  const found = settingsOf({ big_text: true, theme: "light", colour: "red" });
  expect(found).toEqual({ bigText: true, theme: "light" });
});

it("applies the account's preferences", () => {
  applyAccountPreferences(account({ preferences: { theme: "contrast" } }));
  expect(settings.theme).toBe("contrast");
});

it("sends changes together once there is an account", async () => {
  setSetting("sound", true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  session.account = account({ preferences: { theme: "dark" } });
  applyAccountPreferences(session.account);
  setSetting("motion", "none");
  setSetting("bigText", true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([{ preferences: { motion: "none", big_text: true } }]);
});

it("sends this device's settings for a new guest only", async () => {
  mergeSettings({ theme: "light" });
  session.account = account({ id: "b" });
  applyAccountPreferences(session.account);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  session.account = account({ id: "c", is_guest: true });
  applyAccountPreferences(session.account);
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([{ preferences: { theme: "light" } }]);
});
