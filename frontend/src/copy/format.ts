/** Formats numbers and times. */

const MINUS = "−";

/** "−4", "0", "27": a true minus sign, so that columns line up. */
export function signed(value: number): string {
  return value < 0 ? `${MINUS}${-value}` : String(value);
}

/** A text of the server with true minus signs. */
export const withMinus = (words: string): string =>
  words.replace(/(^|[\s(])-(?=\d)/g, `$1${MINUS}`);

/** "+7", "−4": for changes. */
export function change(value: number): string {
  return value > 0 ? `+${value}` : signed(value);
}

/** "3 min 12 s", "48 s", "1 h 4 min". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "just now", "12 min ago", "3 days ago". */
export function ago(then: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(then)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** "a, b and c". */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export const capital = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1);

/** "8 min", "7 h 20 min", "2 days 3 h": rounded up. */
export function waitLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return `${days === 1 ? "a day" : `${days} days`} ${hours % 24} h`;
}
