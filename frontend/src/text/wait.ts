/** Waits as people read them. */

/** "8 min", "7 h 20 min", "2 days 3 h": rounded up, so that it is never too early. */
export function waitLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return `${days === 1 ? "a day" : `${days} days`} ${hours % 24} h`;
}
