import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { expect, it } from "vitest";
import { isIntact, parseEntries, parseHead } from "./chain_check";
import { isSigned } from "./hashes";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

function exported(count: number): string {
  let previous = "0".repeat(64);
  const lines = [];
  for (let number = 1; number <= count; number++) {
    const facts = { kind: "drawn", at: "x", day: `2027-03-0${number}`, ruleset: "r" };
    const text = JSON.stringify({ facts, number, previous });
    previous = sha(text);
    lines.push(JSON.stringify({ number, text, head: previous, signature: "" }));
  }
  return lines.join("\n") + "\n";
}

const entries = parseEntries(exported(3));
const end = { number: 3, hash: entries[2]?.head ?? "" };

it("reads an export", () => {
  expect(entries.map((entry) => entry.number)).toEqual([1, 2, 3]);
  expect(entries[0]).toMatchObject({ kind: "drawn", subject: "2027-03-01 r" });
  expect(parseEntries("")).toEqual([]);
});

it("confirms an intact end of the chain", async () => {
  expect(await isIntact(entries, end)).toBe(true);
  expect(await isIntact(entries.slice(1), end)).toBe(true);
  expect(await isIntact([], { number: 0, hash: "" })).toBe(true);
});

it("detects changed, missing and cut entries", async () => {
  const [first, second, third] = entries;
  if (!first || !second || !third) throw new Error("no entries");
  const changed = { ...second, text: second.text.replace("02", "05") };
  for (const wrong of [[first, changed, third], [first, third], [first, second], []]) {
    expect(await isIntact(wrong, end)).toBe(false);
  }
});

it("reads a stored head", () => {
  expect(parseHead(`3 ${end.hash}`)).toEqual(end);
  for (const wrong of [null, "", "3", `x ${end.hash}`, `3 ${end.hash}0`]) {
    expect(parseHead(wrong)).toBeNull();
  }
});

it("verifies signatures", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const made = sign(null, Buffer.from("heads"), privateKey).toString("hex");
  expect(await isSigned(raw.toString("hex"), "heads", made)).toBe(true);
  expect(await isSigned(raw.toString("hex"), "other", made)).toBe(false);
  expect(await isSigned("00", "heads", made)).toBeNull();
});
