/** The log of a run, kept for the tab, so that a reload does not forget the story. */
import type { Tone } from "../../copy/story";

export interface LogEntry {
  index: number;
  room: number;
  text: string;
  tone: Tone;
}

const place = (run: string): string => `scoundrel.log.${run}`;

export function readJournal(run: string): LogEntry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place(run)) ?? "[]");
    return Array.isArray(kept) ? (kept as LogEntry[]) : [];
  } catch {
    return [];
  }
}

export function keepJournal(run: string, entries: readonly LogEntry[]): void {
  try {
    sessionStorage.setItem(place(run), JSON.stringify(entries));
  } catch {
    // A full or refused storage costs the story of old moves, nothing else.
  }
}
