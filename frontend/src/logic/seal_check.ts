/** Checks the hashes of a revealed daily in the browser. */
import type { Daily } from "../api/dailies";
import { hmac, sha256 } from "./hashes";

export interface SealChecks {
  /** The master matches the seal published 30 days before. */
  master: boolean;
  /** The seed is the candidate of master and public value with that number. */
  seed: boolean;
  /** The seal matches the seed. */
  seal: boolean;
}

type Revealed = Pick<
  Daily,
  "seed" | "seal" | "master" | "master_seal" | "candidate" | "beacon"
>;

/** The message that the master and the public value are combined by; null: unused. */
export function beaconMessage({ beacon }: Pick<Daily, "beacon">): string | null {
  if (!beacon?.randomness) return null;
  return `scoundrel-beacon-v1:${beacon.round}:${beacon.randomness}`;
}

/** The results of the three checks; null while the daily is not revealed. */
export async function checkSeals(daily: Revealed): Promise<SealChecks | null> {
  const { seed, seal, master, master_seal, candidate } = daily;
  if (seed === null || master === null || candidate === null) return null;
  const message = beaconMessage(daily);
  const key = message === null ? master : await hmac(master, message);
  return {
    master: (await sha256(master)) === master_seal,
    seed: (await hmac(key, `scoundrel-daily-v1:${candidate}`)) === seed,
    seal: (await sha256(seed)) === seal,
  };
}

/** The commands of a terminal that do the same. */
export function checkCommands(daily: Revealed): string {
  const message = beaconMessage(daily);
  const openssl = (text: string, key: string) =>
    `printf %s ${text} | openssl dgst -sha256 -hmac ${key}`;
  return [
    `printf %s ${daily.master} | sha256sum`,
    ...(message === null ? [] : [openssl(message, daily.master ?? "")]),
    openssl(
      `scoundrel-daily-v1:${daily.candidate}`,
      message === null ? (daily.master ?? "") : "KEY",
    ),
    `printf %s ${daily.seed} | sha256sum`,
  ].join("\n");
}
