import { describe, expect, it } from "vitest";
import { aRun, legalMove } from "../fixtures/runs";
import { avoidChoice, choicesOf, cardLabel as describeCard, tagOf } from "./choices";

const armed = aRun({
  weapon: { card: "5D", kill_stack: ["9C"], limit: 9, limit_inclusive: false },
  legal: [
    legalMove("8Cw", { damage: 3, health_after: 17 }),
    legalMove("8Cb", { damage: 8, health_after: 12 }),
    legalMove("7H", { heal: 0 }),
    legalMove("QSb", { damage: 12, health_after: -1, lethal: true }),
  ],
  blocked: [
    { move: "QSw", code: "move.illegal.weapon_limit", detail: "" },
    { move: "avoid", code: "move.illegal.avoid_twice", detail: "" },
  ],
});

describe("choices", () => {
  it("says what each way to fight costs and leaves", () => {
    const [withWeapon, bare] = choicesOf(armed, "8C");
    expect(withWeapon).toMatchObject({
      move: "8Cw",
      cost: "−3",
      after: "17",
      harm: "hurt",
    });
    expect(bare).toMatchObject({ move: "8Cb", cost: "−8", after: "12", harm: "hurt" });
  });

  it("says that a choice kills", () => {
    const bare = choicesOf(armed, "QS")[1];
    expect(bare).toMatchObject({ after: "you die", harm: "death" });
    expect(bare?.label).toContain("you die");
  });

  it("says why the weapon does not reach", () => {
    expect(choicesOf(armed, "QS")[0]?.refusal).toEqual({
      long: "That weapon only reaches below 9.",
      short: "only below 9",
    });
    expect(choicesOf(aRun(), "QS")[0]?.refusal?.long).toBe("You hold no weapon.");
  });

  it("tells healing and wasted potions apart", () => {
    const hurt = aRun({ legal: [legalMove("7H", { heal: 5, health_after: 18 })] });
    expect(choicesOf(hurt, "7H")[0]).toMatchObject({
      cost: "+5",
      after: "18",
      harm: "heal",
    });
    const second = aRun({ legal: [legalMove("7H", { wasted: true })] });
    expect(choicesOf(second, "7H")[0]).toMatchObject({ cost: "wasted", harm: "waste" });
  });

  it("says which weapon is dropped", () => {
    expect(choicesOf({ ...armed, room: ["2D"] }, "2D")[0]?.cost).toBe(
      "drops 5 below 9",
    );
    expect(choicesOf(aRun(), "5D")[0]?.cost).toBe("fresh");
  });

  it("says why a room cannot be avoided", () => {
    expect(avoidChoice(armed).refusal?.short).toBe("not twice");
    expect(avoidChoice(aRun()).refusal).toBeNull();
  });
});

describe("tags", () => {
  it("shows the armed cost, or that the weapon does not reach", () => {
    expect(tagOf(armed, "8C")).toEqual({ text: "−3", harm: "hurt" });
    expect(tagOf(armed, "QS")).toEqual({ text: "you die", harm: "death" });
    const far = {
      ...armed,
      legal: [legalMove("QSb", { damage: 12, health_after: 8 })],
    };
    expect(tagOf(far, "QS")).toEqual({ text: "−12", harm: "blocked" });
  });

  it("has none for a weapon", () => {
    expect(tagOf(aRun(), "5D")).toBeNull();
  });
});

it("describes a card for screen readers", () => {
  expect(describeCard(armed, "8C", "8 of clubs")).toBe(
    "ghoul, 8 of clubs, monster. Armed: costs 3, leaves you 17. Bare-handed: costs 8, leaves you 12.",
  );
});
