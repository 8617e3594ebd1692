import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { aRun, legalMove } from "../../fixtures/runs";
import { announcer } from "../core/announcer.svelte";
import { TableStore } from "./table.svelte";

const start = aRun();
const equipped = aRun({
  index: 1,
  room: ["8C", "7H", "QS"],
  faced_in_room: 1,
  weapon: { card: "5D", kill_stack: [], limit: null, limit_inclusive: false },
  legal: [
    legalMove("8Cw", { damage: 3, health_after: 17 }),
    legalMove("8Cb", { damage: 8, health_after: 12 }),
    legalMove("QSb", { damage: 12, health_after: 8 }),
  ],
  blocked: [],
});
const fought = aRun({
  ...equipped,
  index: 2,
  room: ["7H", "QS"],
  health: 17,
  legal: [],
});

let table: TableStore;

async function seated(...replies: Parameters<typeof network>[0]) {
  const requests = network([{ body: start }, ...replies]);
  table = new TableStore();
  await table.open("r1");
  return requests;
}
const settled = () => vi.waitFor(() => expect(table.sent).toBeNull());

beforeEach(() => {
  sessionStorage.clear();
});
afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
});

describe("playing", () => {
  it("plays the selected card and shows the result", async () => {
    const effects = [{ kind: "equipped", card: "5D", discarded: [] }];
    const requests = await seated({
      body: { run: equipped, effects, replayed: false },
    });
    table.select("5D");
    table.act("equip");
    expect(table.sent).toBe("5D");
    await settled();
    expect(requests[1]?.body).toMatchObject({ index: 0, move: "5D" });
    expect(table.slots).toEqual(["8C", null, "7H", "QS"]);
    expect(table.selected).toBeNull();
    expect(table.message?.text).toBe("You take up the hatchet, 5.");
    expect(table.log).toHaveLength(1);
  });

  it("sends no illegal move, and shows why", async () => {
    const requests = await seated();
    table.select("8C");
    table.act("armed");
    expect(requests).toHaveLength(1);
    expect(table.message?.text).toBe("You hold no weapon.");
    expect(announcer.text).toContain("You hold no weapon.");
  });

  it("asks for confirmation before a deadly move, not by a double click", async () => {
    const requests = await seated({
      body: { run: fought, effects: [], replayed: false },
    });
    table.run = aRun({ legal: [legalMove("QSb", { damage: 12, lethal: true })] });
    table.select("QS");
    table.act("bare", 1_000);
    table.act("bare", 1_100);
    expect(table.unconfirmedMove).toBe("QSb");
    expect(requests).toHaveLength(1);
    table.act("bare", 1_500);
    expect(table.sent).toBe("QSb");
    await settled();
    expect(requests).toHaveLength(2);
  });

  it("drops the confirmation when another card is selected", async () => {
    await seated();
    table.run = aRun({ legal: [legalMove("QSb", { damage: 12, lethal: true })] });
    table.select("QS");
    table.act("bare", 1_000);
    table.select("8C");
    expect(table.unconfirmedMove).toBeNull();
  });
});

describe("a queued move", () => {
  it("plays the queued move after the answer", async () => {
    const requests = await seated(
      { body: { run: equipped, effects: [], replayed: false } },
      { body: { run: fought, effects: [], replayed: false } },
    );
    table.select("5D");
    table.act("equip");
    table.select("8C");
    table.act("armed");
    await vi.waitFor(() => expect(table.run?.index).toBe(2));
    expect(requests[2]?.body).toMatchObject({ index: 1, move: "8Cw" });
  });

  it("does not play a queued move that costs more now", async () => {
    const worse = {
      ...equipped,
      legal: [legalMove("8Cb", { damage: 8, lethal: true })],
    };
    const requests = await seated({
      body: { run: worse, effects: [], replayed: false },
    });
    table.select("5D");
    table.act("equip");
    table.select("8C");
    table.act("bare");
    await vi.waitFor(() => expect(table.run?.index).toBe(1));
    await settled();
    expect(requests).toHaveLength(2);
    expect(table.message?.text).toBe("The table changed. Choose again.");
  });

  it("does not queue avoiding", async () => {
    const requests = await seated({
      body: { run: equipped, effects: [], replayed: false },
    });
    table.select("5D");
    table.act("equip");
    table.act("avoid");
    await settled();
    expect(requests).toHaveLength(2);
  });
});

describe("a run continued elsewhere", () => {
  it("takes the run of a stale-index refusal", async () => {
    const stale = { code: "run.stale_index", detail: "Moved on.", run: fought };
    await seated({ status: 409, body: stale });
    table.select("5D");
    table.act("equip");
    await settled();
    expect(table.run?.index).toBe(2);
    expect(table.message?.text).toContain("continued elsewhere");
  });

  it("reloads when the page is shown again", async () => {
    await seated({ body: equipped });
    await table.refresh(10_000);
    expect(table.run?.index).toBe(1);
  });

  it("shows no message when nothing has changed", async () => {
    await seated({ body: start });
    await table.refresh(10_000);
    expect(table.message).toBeNull();
  });
});

it("reports a run that cannot be loaded", async () => {
  network([{ status: 404, body: { code: "run.not_found", detail: "No such run." } }]);
  table = new TableStore();
  await table.open("nowhere");
  expect(table.loadError).toMatchObject({ status: 404 });
});
