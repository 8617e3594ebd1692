import { expect, it } from "vitest";
import { aRun } from "../fixtures/runs";
import { card, formalName } from "../logic/cards";
import { reach, effectLine, effectLines, roomText, refusalText } from "./story";

it("knows every card, and no other", () => {
  expect(card("TD")).toMatchObject({
    rank: "10",
    value: 10,
    role: "weapon",
    name: "greatsword",
  });
  expect(card("AS")).toMatchObject({ value: 14, role: "monster", name: "dragon" });
  expect(formalName("QC")).toBe("queen of clubs");
  for (const wrong of ["", "1C", "JH", "AD", "10C", "8X"])
    expect(() => card(wrong)).toThrow();
});

it("describes effects and their cost", () => {
  const said = (effect: Parameters<typeof effectLine>[0]) => effectLine(effect)?.text;
  expect(said({ kind: "fought", card: "8C", armed: true, damage: 8, health: 4 })).toBe(
    "The ghoul takes 8. You have 4.",
  );
  expect(said({ kind: "fought", card: "2C", armed: true, damage: 0, health: 4 })).toBe(
    "The rat falls without a scratch on you.",
  );
  expect(
    said({ kind: "fought", card: "KS", armed: false, damage: 13, health: -1 }),
  ).toBe("The demon takes 13.");
  expect(said({ kind: "equipped", card: "9D", discarded: ["4D", "3C"] })).toBe(
    "You take up the battle-axe, 9. The sickle stays on the floor.",
  );
  expect(said({ kind: "healed", card: "4H", amount: 4, health: 14 })).toBe(
    "The honey gives back 4. You have 14.",
  );
  expect(said({ kind: "healed", card: "4H", amount: 0, health: 20 })).toContain(
    "well already",
  );
  expect(said({ kind: "wasted", card: "9H" })).toContain("is wasted");
  expect(said({ kind: "died", card: "KS" })).toBe("The demon puts out your torch.");
});

it("has no line for dealing", () => {
  expect(effectLines([{ kind: "dealt", cards: ["2C"] }])).toEqual([]);
  expect(roomText(aRun())).toBe("Room 1: ghoul 8, hatchet 5, cordial 7 and witch 12.");
  expect(roomText(aRun({ room: [] }))).toBe("");
});

it("describes the reach of a weapon", () => {
  const weapon = { card: "5D", kill_stack: ["9C"], limit: 9, limit_inclusive: false };
  expect(reach(weapon)).toBe("below 9");
  expect(reach({ ...weapon, limit_inclusive: true })).toBe("up to 9");
  expect(reach({ ...weapon, limit: null })).toBe("anything");
  expect(refusalText("move.illegal.weapon_limit", aRun({ weapon }))).toBe(
    "That weapon only reaches below 9.",
  );
  expect(refusalText("move.illegal.unheard_of", aRun(), "The server's words.")).toBe(
    "The server's words.",
  );
});
