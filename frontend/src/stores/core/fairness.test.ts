import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FairnessStore } from "./fairness.svelte";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

function chain(count: number, salt = ""): string[] {
  let previous = "0".repeat(64);
  return Array.from({ length: count }, (_, index) => {
    const facts = { kind: "drawn", at: "x", salt };
    const text = JSON.stringify({ facts, number: index + 1, previous });
    previous = sha(text);
    return JSON.stringify({ number: index + 1, text, head: previous, signature: "" });
  });
}

let lines: string[] = [];

function reply(request: Request): Response {
  const url = new URL(request.url);
  if (url.pathname === "/api/v1/fairness/") {
    const head = lines.at(-1);
    const hash = head ? JSON.parse(head).head : "0".repeat(64);
    return Response.json({
      dailies: { number: lines.length, hash },
      public_key: "",
      statement: "",
      signature: "",
    });
  }
  const [after, limit] = ["after", "limit"].map((name) =>
    Number(url.searchParams.get(name)),
  ) as [number, number];
  const text = lines.slice(after, after + limit).join("\n");
  return new Response(text, { headers: { "Content-Length": String(text.length) } });
}

beforeEach(() => {
  vi.stubGlobal("fetch", async (request: Request) => reply(request));
});
afterEach(() => localStorage.clear());

async function visit(now: string[]): Promise<FairnessStore> {
  lines = now;
  const store = new FairnessStore();
  await store.load();
  expect(store.error).toBeNull();
  return store;
}

it("compares the chain with the head of the visit before", async () => {
  expect(await visit(chain(3))).toMatchObject({ comparison: "first", intact: true });
  expect(await visit(chain(30))).toMatchObject({ comparison: "same", intact: true });
  expect((await visit(chain(30))).entries).toHaveLength(20);
});

it("shows an empty chain", async () => {
  expect(await visit([])).toMatchObject({ comparison: "first", intact: true });
  expect(localStorage.getItem("scoundrel.chain")).toBeNull();
});

it("keeps the older head as a proof when the chain has changed", async () => {
  await visit(chain(3));
  const seen = localStorage.getItem("scoundrel.chain");
  for (const other of [chain(5, "rewritten"), chain(2), []]) {
    expect((await visit(other)).comparison).toBe("changed");
    expect(localStorage.getItem("scoundrel.chain")).toBe(seen);
  }
  expect((await visit(chain(3))).comparison).toBe("same");
});
