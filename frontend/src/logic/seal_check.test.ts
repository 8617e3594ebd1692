import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import cases from "../../../tests/cases/beacon.json";
import { aBeacon } from "../fixtures/dailies";
import { checkCommands, checkSeals } from "./seal_check";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const master = sha("a master");
const seed = createHmac("sha256", master).update("scoundrel-daily-v1:3").digest("hex");
const day = {
  master,
  master_seal: sha(master),
  candidate: 3,
  seed,
  seal: sha(seed),
  beacon: null,
};
const vector = cases.day;
const used = {
  master: vector.master,
  master_seal: vector.master_seal,
  candidate: 2,
  seed: vector.seeds[2] ?? "",
  seal: sha(vector.seeds[2] ?? ""),
  beacon: aBeacon({
    round: vector.round,
    signature: vector.signature,
    randomness: cases.rounds[0]?.randomness ?? "",
    state: "used",
  }),
};

it("confirms a genuine daily", async () => {
  const all = { master: true, seed: true, seal: true };
  expect(await checkSeals(day)).toEqual(all);
  expect(await checkSeals(used)).toEqual(all);
  expect(await checkSeals({ ...day, beacon: aBeacon({ state: "missing" }) })).toEqual(
    all,
  );
});

it("detects every change", async () => {
  expect(await checkSeals({ ...day, candidate: 4 })).toMatchObject({ seed: false });
  expect(await checkSeals({ ...day, seal: sha("x") })).toMatchObject({ seal: false });
  expect(await checkSeals({ ...day, master_seal: sha("x") })).toEqual({
    master: false,
    seed: true,
    seal: true,
  });
  expect(await checkSeals({ ...used, beacon: null })).toMatchObject({ seed: false });
});

it("returns null before the reveal", async () => {
  expect(await checkSeals({ ...day, seed: null })).toBeNull();
});

it("has a command for each check", () => {
  expect(checkCommands(day).split("\n")).toHaveLength(3);
  const lines = checkCommands(used).split("\n");
  expect(lines[1]).toContain(`scoundrel-beacon-v1:${vector.round}:`);
  expect(lines[2]).toContain("-hmac KEY");
});
