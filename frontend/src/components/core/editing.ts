/** Whether somebody is in the middle of something that a turned page would lose. */

/** Inputs without a text of one's own: leaving them loses nothing. */
const WORDLESS = ["button", "checkbox", "radio", "range", "reset", "submit"];

/** A dialog is open, or a field one writes in has the focus. */
export function isEditing(page: Document): boolean {
  if (page.querySelector("dialog[open]")) return true;
  const held = page.activeElement;
  if (!held) return false;
  if (held.tagName === "INPUT")
    return !WORDLESS.includes((held as HTMLInputElement).type);
  return held.tagName === "TEXTAREA" || held.tagName === "SELECT";
}
