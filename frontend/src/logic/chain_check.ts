/** Reads entries of the chain of commitments, and compares them with a kept head. */
import type { CommitmentKind } from "../api/fairness";
import { sha256 } from "./hashes";

export interface ChainEntry {
  number: number;
  head: string;
  previous: string;
  kind: CommitmentKind;
  at: string;
  /** The daily that it is about, such as "2026-11-30 tavern-1"; null: none. */
  subject: string | null;
  text: string;
}

export interface Head {
  number: number;
  hash: string;
}

/** The entries of an export. */
export function parseEntries(lines: string): ChainEntry[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { number, head, text } = JSON.parse(line);
      const { facts, previous } = JSON.parse(text);
      const subject = facts.day ? `${facts.day} ${facts.ruleset}` : null;
      return { number, head, previous, kind: facts.kind, at: facts.at, subject, text };
    });
}

/** Whether consecutive entries hash to their heads, follow each other, and end there. */
export async function isIntact(
  entries: readonly ChainEntry[],
  end: Head,
): Promise<boolean> {
  for (const [at, entry] of entries.entries()) {
    if ((await sha256(entry.text)) !== entry.head) return false;
    const before = entries[at - 1];
    const follows = before?.number === entry.number - 1;
    if (before && (!follows || before.head !== entry.previous)) return false;
  }
  const last = entries.at(-1);
  return last === undefined
    ? end.number === 0
    : last.number === end.number && last.head === end.hash;
}

/** A head that was stored as text; null if it is none. */
export function parseHead(text: string | null): Head | null {
  const [, number, hash] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec(text ?? "") ?? [];
  return number && hash ? { number: Number(number), hash } : null;
}
