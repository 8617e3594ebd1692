/** Checks the hashes of a revealed daily in the browser. */
import type { Daily } from "../api/dailies";

export interface SealChecks {
  /** The master matches the seal published 30 days before. */
  master: boolean;
  /** The seed is the master's candidate with that number. */
  seed: boolean;
  /** The seal matches the seed. */
  seal: boolean;
}

const bytes = (text: string) => new TextEncoder().encode(text);

function hex(buffer: ArrayBuffer): string {
  return [...new Uint8Array(buffer)]
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("");
}

async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes(text)));
}

async function hmac(key: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, [
    "sign",
  ]);
  return hex(await crypto.subtle.sign("HMAC", made, bytes(text)));
}

/** Browsers offer these functions on secure origins only (https or localhost). */
export const canCheckSeals = (): boolean => Boolean(globalThis.crypto?.subtle);

/** The results of the three checks; null while the daily is not revealed. */
export async function checkSeals(
  daily: Pick<Daily, "seed" | "seal" | "master" | "master_seal" | "candidate">,
): Promise<SealChecks | null> {
  const { seed, seal, master, master_seal, candidate } = daily;
  if (seed === null || master === null || candidate === null) return null;
  return {
    master: (await sha256(master)) === master_seal,
    seed: (await hmac(master, `scoundrel-daily-v1:${candidate}`)) === seed,
    seal: (await sha256(seed)) === seal,
  };
}
