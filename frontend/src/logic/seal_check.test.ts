import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { checkSeals } from "./seal_check";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const master = sha("a master");
const seed = createHmac("sha256", master).update("scoundrel-daily-v1:3").digest("hex");
const day = {
  master,
  master_seal: sha(master),
  candidate: 3,
  seed,
  seal: sha(seed),
};

it("confirms a genuine daily", async () => {
  expect(await checkSeals(day)).toEqual({ master: true, seed: true, seal: true });
});

it("detects every change", async () => {
  expect(await checkSeals({ ...day, candidate: 4 })).toMatchObject({ seed: false });
  expect(await checkSeals({ ...day, seal: sha("x") })).toMatchObject({ seal: false });
  expect(await checkSeals({ ...day, master_seal: sha("x") })).toEqual({
    master: false,
    seed: true,
    seal: true,
  });
});

it("returns null before the reveal", async () => {
  expect(await checkSeals({ ...day, seed: null })).toBeNull();
});
