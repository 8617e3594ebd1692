import { beforeEach, expect, it } from "vitest";
import { network } from "../../fixtures/network";
import type { Account } from "../../api/accounts";
import { session } from "../accounts/session.svelte";
import { standing } from "./standing.svelte";

const ada: Account = {
  id: "a",
  name: "Ada",
  email: null,
  is_guest: false,
  is_bot: false,
  is_verified: true,
  staff_role: "",
  preferences: {},
  notices: 2,
  created_at: "2026-01-01T00:00:00Z",
};
const good = { standing: "good", sanctions: [], notices: [], reports: [] };

beforeEach(() => {
  session.account = ada;
  standing.found = null;
  standing.wasSignedOut = false;
});

it("marks messages as seen once they are read, not before", async () => {
  const requests = network([{ body: good }, { body: { seen: 2 } }, { body: good }]);
  await standing.load();
  expect(standing.found?.standing).toBe("good");
  expect(session.account?.notices).toBe(0);
  await standing.load();
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/v1/standing/",
    "/api/v1/standing/seen/",
    "/api/v1/standing/",
  ]);
});

it("sends an appeal and reloads the standing", async () => {
  const requests = network([{ status: 201, body: {} }, { body: good }]);
  await standing.appeal("act1", "It was my brother.");
  expect(requests[0]).toMatchObject({
    path: "/api/v1/appeals/",
    body: { sanction: "act1", text: "It was my brother." },
  });
  expect(standing.found).toEqual(good);
});

it("reloads after new messages, and notices an ended session", async () => {
  network([
    { body: { ...ada, notices: 3 } },
    { status: 401, body: { code: "session.required" } },
  ]);
  await standing.changed();
  expect(session.account?.notices).toBe(3);
  expect(standing.wasSignedOut).toBe(false);
  await standing.changed();
  expect(session.account).toBeNull();
  expect(standing.wasSignedOut).toBe(true);
});

it("ignores a network failure", async () => {
  network(["down"]);
  await standing.changed();
  expect(session.account).toEqual(ada);
});
