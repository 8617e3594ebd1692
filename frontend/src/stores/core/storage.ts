/**
 * Reads and writes the browser's storage. It may be refused or full: a value then reads
 * as null, and a write is lost.
 */
type Area = "localStorage" | "sessionStorage";

export function readItem(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores the value; null removes it. */
export function writeItem(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // The page works without the stored value.
  }
}
