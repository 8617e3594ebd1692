/**
 * Animates copies of cards and short texts in a layer over the table.
 *
 * Only the Web Animations API is used, because the content security policy allows no
 * inline styles.
 */

const ANIMATION_MS = 360;

export interface CapturedCard {
  rect: DOMRect;
  node: HTMLElement;
}

/** The positions of cards and weapon just before the table changes. */
export interface Snapshot {
  cards: Map<string, CapturedCard>;
  weapon: CapturedCard | null;
}

const faceOf = (node: Element): HTMLElement | null => node.querySelector(".face");
const isVisible = (rect: DOMRect): boolean => rect.width > 0;

export function captureTable(root: HTMLElement): Snapshot {
  const cards = new Map<string, CapturedCard>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const face = faceOf(node);
    if (!face) continue;
    cards.set(node.dataset.card ?? "", {
      rect: node.getBoundingClientRect(),
      node: face.cloneNode(true) as HTMLElement,
    });
  }
  const weapon = root.querySelector<HTMLElement>("[data-weapon]");
  return {
    cards,
    weapon: weapon && {
      rect: weapon.getBoundingClientRect(),
      node: weapon.cloneNode(true) as HTMLElement,
    },
  };
}

export function anchorRect(root: HTMLElement, name: string): DOMRect | null {
  const rect = root.querySelector(`[data-anchor="${name}"]`)?.getBoundingClientRect();
  return rect && isVisible(rect) ? rect : null;
}

/** The CSS transform that moves a box from `from` to `to`. */
export function transformOnto(from: DOMRect, to: DOMRect, turn = 0): string {
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  return `translate(${x}px, ${y}px) scale(${to.width / from.width}) rotate(${turn}deg)`;
}

export function addCopy(layer: HTMLElement, { rect, node }: CapturedCard): HTMLElement {
  const box = document.createElement("div");
  box.className = "card-copy";
  Object.assign(box.style, {
    left: `${rect.left}px`,
    top: `${rect.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  });
  box.append(node);
  layer.append(box);
  return box;
}

export function animateOut(
  box: HTMLElement,
  frames: Keyframe[],
  timing: KeyframeAnimationOptions = {},
): void {
  const animation = box.animate(frames, {
    duration: ANIMATION_MS,
    easing: "ease-in",
    fill: "both",
    ...timing,
  });
  const remove = () => box.remove();
  animation.finished.then(remove, remove);
}

export function floatText(
  layer: HTMLElement,
  at: DOMRect | null,
  text: string,
  tone: string,
): void {
  if (!at) return;
  const words = document.createElement("b");
  words.className = `float-text ${tone}`;
  words.textContent = text;
  words.style.left = `${at.left + at.width / 2}px`;
  words.style.top = `${at.top + at.height / 2}px`;
  layer.append(words);
  animateOut(
    words,
    [
      { transform: "translate(-50%, -30%) scale(0.6)", opacity: 0 },
      { transform: "translate(-50%, -70%) scale(1.25)", opacity: 1, offset: 0.25 },
      { transform: "translate(-50%, -80%) scale(1)", opacity: 1, offset: 0.6 },
      { transform: "translate(-50%, -150%) scale(1)", opacity: 0 },
    ],
    { duration: 700, easing: "ease-out" },
  );
}
