import { afterEach, expect, test } from "vitest";
import { isEditing } from "./editing";

afterEach(() => {
  document.body.innerHTML = "";
});

function focused(html: string): boolean {
  document.body.innerHTML = html;
  document.body.querySelector<HTMLElement>("input, textarea, button")?.focus();
  return isEditing(document);
}

test("who reads is free to be taken along", () => {
  expect(isEditing(document)).toBe(false);
  expect(focused("<button>Go</button>")).toBe(false);
  expect(focused('<input type="radio">')).toBe(false);
  expect(focused("<dialog></dialog>")).toBe(false);
});

test("who writes, or has a dialog open, is not", () => {
  expect(focused("<textarea></textarea>")).toBe(true);
  expect(focused('<input type="text">')).toBe(true);
  expect(focused("<dialog open><button>Send</button></dialog>")).toBe(true);
});
