/** Tells whether the player is editing something that leaving the page would lose. */

/** Input types without text: leaving them loses nothing. */
const WORDLESS = ["button", "checkbox", "radio", "range", "reset", "submit"];

/** True if a dialog is open or a text field has the focus. */
export function isEditing(page: Document): boolean {
  if (page.querySelector("dialog[open]")) return true;
  const focused = page.activeElement;
  if (!focused) return false;
  if (focused.tagName === "INPUT")
    return !WORDLESS.includes((focused as HTMLInputElement).type);
  return focused.tagName === "TEXTAREA" || focused.tagName === "SELECT";
}
