/** Stores the log of a run for this tab, so that it survives a reload. */
import type { Tone } from "../../copy/story";
import { readItem, writeItem } from "../core/storage";

export interface LogEntry {
  index: number;
  room: number;
  text: string;
  tone: Tone;
}

const storageKey = (run: string): string => `scoundrel.log.${run}`;

export function readLog(run: string): LogEntry[] {
  try {
    const kept: unknown = JSON.parse(
      readItem("sessionStorage", storageKey(run)) ?? "[]",
    );
    return Array.isArray(kept) ? (kept as LogEntry[]) : [];
  } catch {
    return [];
  }
}

export function saveLog(run: string, entries: readonly LogEntry[]): void {
  writeItem("sessionStorage", storageKey(run), JSON.stringify(entries));
}
