/** Texts of the account pages: errors, devices and token scopes. */
import type { Scope } from "../api/accounts";

const fieldErrors: Record<string, string> = {
  required: "This field is required.",
  invalid: "That is not an e-mail address.",
  "auth.wrong_moment": "That took too long or was tried too often. Start over.",
  incorrect_code: "The code is wrong.",
  incorrect_password: "The password is wrong.",
  enter_current_password: "The password is wrong.",
  username_password_mismatch: "No account has that name and password.",
  email_password_mismatch:
    "No account has that e-mail and password. After many wrong passwords, an account" +
    " accepts none for up to an hour in places where it has never signed in; a password" +
    " reset ends that.",
  email_taken: "Another account has that e-mail.",
};

/** "in 40 seconds", "in 12 minutes", "in 3 days": rounded up. */
export function inTime(seconds: number): string {
  const say = (count: number, unit: string) =>
    `in ${count} ${unit}${count === 1 ? "" : "s"}`;
  if (seconds < 90) return say(Math.max(1, Math.ceil(seconds)), "second");
  if (seconds < 90 * 60) return say(Math.ceil(seconds / 60), "minute");
  if (seconds < 36 * 3600) return say(Math.ceil(seconds / 3600), "hour");
  return say(Math.ceil(seconds / 86_400), "day");
}

/** Makes sentences of the fragments that the password validator returns. */
function passwordAdvice(serverText: string): string {
  if (serverText.startsWith("Your password is too guessable"))
    return "Too easy to guess.";
  const words = serverText.replace(/^(Warning|Advice): /, "").trim();
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** The text of an error code; the server's own text for unknown codes. */
export function fieldErrorText(
  code: string,
  serverText: string,
  retryAfterS?: unknown,
): string {
  const after = typeof retryAfterS === "number" ? retryAfterS : 0;
  if (code === "throttled") {
    return after > 0
      ? `Too many attempts. Try again ${inTime(after)}.`
      : "Too many attempts. Try again later.";
  }
  if (code === "name.too_soon" && after > 0) {
    return `You changed your name recently. You can change it again ${inTime(after)}.`;
  }
  if (code === "password.weak") return passwordAdvice(serverText);
  return fieldErrors[code] ?? serverText;
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/curl\//, "curl"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Firefox on Android", from a user agent string. */
export function device(userAgent: string): string {
  const of = (known: typeof browsers) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = of(browsers) ?? "Unknown program";
  const system = of(systems);
  return system ? `${browser} on ${system}` : browser;
}

export const scopes: readonly (readonly [Scope, string, string])[] = [
  ["read", "Read", "your account, your runs and public data"],
  ["play", "Play", "start runs and make moves"],
  ["race", "Race", "enter races and play in them"],
  ["chat", "Chat", "write chat messages"],
];

const dates = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** "3 May 2026", from an ISO date or from Unix seconds. */
export function day(when: string | number): string {
  return dates.format(typeof when === "number" ? when * 1000 : Date.parse(when));
}

/** Unix seconds as an ISO date. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
