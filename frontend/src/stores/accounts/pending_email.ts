/** The e-mail address to which a code was sent from this tab. */
import { readItem, writeItem } from "../core/storage";

const KEY = "scoundrel.pending";

export function setPendingEmail(email: string): void {
  writeItem("sessionStorage", KEY, email);
}

/** "" if this tab waits for no code. */
export function pendingEmail(): string {
  return readItem("sessionStorage", KEY) ?? "";
}

export function clearPendingEmail(): void {
  writeItem("sessionStorage", KEY, null);
}
