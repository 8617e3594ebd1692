/**
 * Animates moves over the table, which already shows the new state.
 *
 * So animations never delay an input, and nothing here runs with animations off.
 */
import type { Effect } from "../../api/runs";
import { change as signedChange } from "../../copy/format";

import {
  anchorRect,
  floatText,
  animateOut,
  addCopy,
  transformOnto,
  type Snapshot,
} from "./card_animation";

const DEAL_MS = 220;
const STAGGER_MS = 60;

class MoveAnimator {
  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
    private readonly before: Snapshot,
  ) {}

  play(effect: Effect): void {
    switch (effect.kind) {
      case "fought":
        return this.#fight(effect);
      case "equipped":
        return this.#equip(effect.card);
      case "healed":
        return this.#drink(effect.card, signedChange(effect.amount));
      case "wasted":
        return this.#waste(effect.card);
      case "avoided":
        return this.#avoid(effect.cards);
      case "dealt":
        return this.#deal(effect.cards);
      default:
        return undefined;
    }
  }

  #fight(effect: Extract<Effect, { kind: "fought" }>): void {
    const card = this.before.cards.get(effect.card);
    if (!card) return;
    const box = addCopy(this.layer, card);
    const slain = anchorRect(this.root, effect.armed ? "slain" : "pile");
    const side = effect.armed ? -1 : 1;
    const shake = effect.damage > 0 ? 9 : 3;
    const away =
      effect.armed && slain
        ? transformOnto(card.rect, new DOMRect(slain.left, slain.top, 30, 42), -4)
        : "translate(-40px, 120px) rotate(-16deg) scale(0.7)";
    animateOut(box, [
      { transform: "none", opacity: 1 },
      {
        transform: `translateY(26px) scale(1.12) rotate(${side * 2}deg)`,
        opacity: 1,
        offset: 0.2,
      },
      {
        transform: `translate(${-shake}px, 14px) scale(1.06)`,
        opacity: 1,
        offset: 0.32,
      },
      {
        transform: `translate(${shake}px, 10px) scale(1.04)`,
        opacity: 1,
        offset: 0.44,
      },
      { transform: "translateY(6px)", opacity: 1, offset: 0.56 },
      { transform: away, opacity: effect.armed ? 0.9 : 0 },
    ]);
    const text = effect.damage > 0 ? signedChange(-effect.damage) : "free";
    const tone = effect.damage > 0 ? "hurt" : "good";
    floatText(this.layer, card.rect, text, tone);
    if (effect.damage > 0) this.#shakeHealth();
    if (effect.armed) this.#swingWeapon();
  }

  #shakeHealth(): void {
    this.root.querySelector('[data-anchor="health"]')?.animate(
      [0, -5, 4, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` })),
      { duration: 300 },
    );
  }

  #swingWeapon(): void {
    this.root
      .querySelector("[data-weapon]")
      ?.animate(
        [
          { transform: "none" },
          { transform: "rotate(-7deg) scale(1.06)", offset: 0.35 },
          { transform: "none" },
        ],
        { duration: 320, easing: "ease-out" },
      );
  }

  #equip(code: string): void {
    const card = this.before.cards.get(code);
    const panel = anchorRect(this.root, "weapon");
    if (this.before.weapon) {
      animateOut(addCopy(this.layer, this.before.weapon), [
        { transform: "none", opacity: 1 },
        { transform: "translate(-20px, 90px) rotate(-24deg)", opacity: 0 },
      ]);
    }
    if (!card || !panel) return;
    animateOut(
      addCopy(this.layer, card),
      [
        { transform: "none" },
        { transform: "translateY(-10px) scale(1.05)", offset: 0.25 },
        { transform: transformOnto(card.rect, panel) },
      ],
      { duration: 320 },
    );
    this.root
      .querySelector("[data-weapon]")
      ?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], {
        duration: 330,
      });
  }

  #drink(code: string, gain: string): void {
    const card = this.before.cards.get(code);
    if (!card) return;
    animateOut(
      addCopy(this.layer, card),
      [
        { transform: "none", opacity: 1, filter: "brightness(1)" },
        {
          transform: "scale(1.09)",
          opacity: 1,
          filter: "brightness(1.3)",
          offset: 0.35,
        },
        {
          transform: "scale(0.92) translateY(-26px)",
          opacity: 0,
          filter: "brightness(1.6)",
        },
      ],
      { easing: "ease-out" },
    );
    floatText(this.layer, card.rect, gain, "good");
  }

  #waste(code: string): void {
    const card = this.before.cards.get(code);
    if (!card) return;
    animateOut(addCopy(this.layer, card), [
      { transform: "none", opacity: 1, filter: "grayscale(0)" },
      { transform: "rotate(3deg)", opacity: 1, filter: "grayscale(1)", offset: 0.3 },
      {
        transform: "translateY(110px) rotate(14deg)",
        opacity: 0,
        filter: "grayscale(1)",
      },
    ]);
    floatText(this.layer, card.rect, "wasted", "plain");
  }

  #avoid(cards: readonly string[]): void {
    const pile = anchorRect(this.root, "pile");
    if (!pile) return;
    cards.forEach((code, i) => {
      const card = this.before.cards.get(code);
      if (!card) return;
      animateOut(
        addCopy(this.layer, card),
        [
          { transform: "none", opacity: 1 },
          { transform: transformOnto(card.rect, pile, 10), opacity: 0.15 },
        ],
        { duration: 260, delay: i * 35 },
      );
    });
  }

  #deal(cards: readonly string[]): void {
    const pile = anchorRect(this.root, "pile");
    if (!pile) return;
    cards.forEach((code, i) => {
      const node = this.root.querySelector<HTMLElement>(`[data-card="${code}"]`);
      if (!node) return;
      const rect = node.getBoundingClientRect();
      const start = transformOnto(rect, pile, -8);
      node.animate(
        [
          { transform: `${start} rotateY(88deg)`, opacity: 0 },
          { transform: `${start} rotateY(80deg)`, opacity: 1, offset: 0.12 },
          { transform: "none", opacity: 1 },
        ],
        {
          duration: DEAL_MS,
          delay: 90 + i * STAGGER_MS,
          easing: "cubic-bezier(.2,.8,.3,1)",
          fill: "backwards",
        },
      );
    });
  }

  /** Animates cards that stayed but changed place, such as the carried one. */
  slide(): void {
    for (const [code, card] of this.before.cards) {
      const node = this.root.querySelector<HTMLElement>(`[data-card="${code}"]`);
      if (!node) continue;
      const now = node.getBoundingClientRect();
      if (Math.hypot(now.left - card.rect.left, now.top - card.rect.top) < 12) continue;
      node.animate(
        [{ transform: transformOnto(now, card.rect) }, { transform: "none" }],
        {
          duration: DEAL_MS,
          easing: "ease-in-out",
        },
      );
    }
  }
}

/** Animates the effects of a move over a table that already shows the result. */
export function animateMove(
  root: HTMLElement,
  layer: HTMLElement,
  before: Snapshot,
  effects: readonly Effect[],
): void {
  const animator = new MoveAnimator(root, layer, before);
  animator.slide();
  for (const effect of effects) animator.play(effect);
}
