/** Texts about the chain of commitments. */
import type { Daily } from "../api/dailies";
import type { CommitmentKind } from "../api/fairness";

const kinds: Record<CommitmentKind, string> = {
  start: "The chain began",
  drawn: "Drawn: master's seal and times",
  adopted: "Published before the chain began",
  chosen: "Dungeon chosen: its seal",
  assessed: "Difficulty measured: its seal",
  settled: "Board settled, seed revealed",
  audit: "Head of the moderators' log",
  restored: "A backup was restored",
};
export const kindText = (kind: CommitmentKind): string => kinds[kind] ?? kind;

/** What a daily's public value is, and whether it was used. */
export function beaconText({ beacon }: Pick<Daily, "beacon">): string {
  if (!beacon) return "";
  const round = `round ${beacon.round} of the public random beacon drand ${beacon.network}`;
  switch (beacon.state) {
    case "used":
      return `The dungeon also depends on ${round}, which nobody could know when the master's seal was published.`;
    case "missing":
      return `The dungeon should have depended on ${round}. The value was not known in time, so the master alone decided it.`;
    default:
      return `The dungeon will also depend on ${round}, whose value nobody knows yet.`;
  }
}
