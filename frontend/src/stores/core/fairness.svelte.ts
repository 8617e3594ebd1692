/**
 * The chain of commitments: its signed heads, its newest entries, and whether it still
 * has the entry that this browser saw last.
 */
import { fairnessApi, type Fairness } from "../../api/fairness";
import { errorMessage } from "../../copy/errors";
import {
  isIntact,
  parseEntries,
  parseHead,
  type ChainEntry,
  type Head,
} from "../../logic/chain_check";
import { canHash, isSigned } from "../../logic/hashes";
import { readItem, writeItem } from "./storage";

const STORAGE_KEY = "scoundrel.chain";
const SHOWN = 20;

export type Comparison = "first" | "same" | "changed";

export class FairnessStore {
  heads = $state.raw<Fairness | null>(null);
  entries = $state.raw<ChainEntry[]>([]);
  /** Null: this browser cannot check. */
  signed = $state<boolean | null>(null);
  intact = $state<boolean | null>(null);
  kept = $state.raw<Head | null>(null);
  comparison = $state<Comparison | null>(null);
  error = $state<string | null>(null);

  async load(): Promise<void> {
    try {
      const heads = await fairnessApi.heads();
      this.heads = heads;
      const { dailies, public_key, statement, signature } = heads;
      this.signed = await isSigned(public_key, statement, signature);
      const after = Math.max(0, dailies.number - SHOWN);
      const entries = parseEntries(await fairnessApi.lines(after, SHOWN));
      this.entries = entries.filter((entry) => entry.number <= dailies.number);
      this.intact = canHash() ? await isIntact(this.entries, dailies) : null;
      await this.#compare(dailies);
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async #compare(now: Head): Promise<void> {
    const kept = parseHead(readItem("localStorage", STORAGE_KEY));
    this.kept = kept;
    if (kept === null) {
      this.comparison = "first";
    } else {
      const [entry] = parseEntries(await fairnessApi.lines(kept.number - 1, 1));
      const isThere = entry?.number === kept.number && entry.head === kept.hash;
      this.comparison = isThere ? "same" : "changed";
    }
    // After a change the older head is kept: it is the proof.
    if (this.comparison !== "changed" && now.number > 0) {
      writeItem("localStorage", STORAGE_KEY, `${now.number} ${now.hash}`);
    }
  }
}
