import { expect, it } from "vitest";
import { day, device, fieldErrorText, inTime } from "./accounts";

it("uses own texts for known codes, else the server's", () => {
  expect(fieldErrorText("incorrect_code", "Incorrect code.")).toBe(
    "The code is wrong.",
  );
  expect(fieldErrorText("name.taken", "That name is taken.")).toBe(
    "That name is taken.",
  );
  expect(fieldErrorText("throttled", "Slow.", 61)).toBe(
    "Too many attempts. Try again in 61 seconds.",
  );
  expect(fieldErrorText("name.too_soon", "Later.", 6 * 86_400)).toContain("in 6 days");
});

it("makes sentences of password advice", () => {
  const serverText = [
    "Your password is too guessable: It would take a moment.",
    "Warning: This is a common password",
    "Advice: Add another word or two. Uncommon words are better",
  ];
  expect(serverText.map((one) => fieldErrorText("password.weak", one)).join(" ")).toBe(
    "Too easy to guess. This is a common password. " +
      "Add another word or two. Uncommon words are better.",
  );
});

it("never says a wait is shorter than it is", () => {
  expect(inTime(1)).toBe("in 1 second");
  expect(inTime(89.2)).toBe("in 90 seconds");
  expect(inTime(601)).toBe("in 11 minutes");
  expect(inTime(3 * 3600)).toBe("in 3 hours");
  expect(inTime(86_400 * 6.1)).toBe("in 7 days");
});

it("names devices", () => {
  const pixel =
    "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
  expect(device(pixel)).toBe("Chrome on Android");
  expect(device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0")).toBe(
    "Firefox on Linux",
  );
  expect(device("python-requests")).toBe("Unknown program");
});

it("formats dates from text and Unix seconds", () => {
  expect(day("2026-05-03T12:00:00Z")).toBe("3 May 2026");
  expect(day(Date.parse("2026-05-03T12:00:00Z") / 1000)).toBe("3 May 2026");
});
