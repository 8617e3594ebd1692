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

test("reading is not editing", () => {
  expect(isEditing(document)).toBe(false);
  expect(focused("<button>Go</button>")).toBe(false);
  expect(focused('<input type="radio">')).toBe(false);
  expect(focused("<dialog></dialog>")).toBe(false);
});

test("writing or an open dialog is editing", () => {
  expect(focused("<textarea></textarea>")).toBe(true);
  expect(focused('<input type="text">')).toBe(true);
  expect(focused("<dialog open><button>Send</button></dialog>")).toBe(true);
});
