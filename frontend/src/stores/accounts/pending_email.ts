/** The e-mail that a code is on its way to, while this tab lives. */
const PLACE = "scoundrel.pending";

export function awaitCode(email: string): void {
  try {
    sessionStorage.setItem(PLACE, email);
  } catch {
    // Storage may be refused; the page then asks the server what is pending.
  }
}

/** "" if none is awaited, so far as this tab knows. */
export function awaitedAt(): string {
  try {
    return sessionStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

export function stopAwaiting(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept, then.
  }
}
