/** A hand faster than the network: the one move that may wait for another's answer. */
import type { LegalMove } from "../net/shapes";
import type { ChoiceKind } from "./choices";

/** A move asked for while another was on its way, and what it was shown to cost. */
export interface Waiting {
  card: string;
  kind: ChoiceKind;
  shown: LegalMove | undefined;
}

/** Whether a move has come to cost more than the player was shown. */
export function isWorse(now: LegalMove, shown: LegalMove | undefined): boolean {
  if (now.lethal) return true;
  if (!shown) return false;
  return (
    now.damage > shown.damage ||
    now.drops.length > shown.drops.length ||
    (now.wasted && !shown.wasted)
  );
}
