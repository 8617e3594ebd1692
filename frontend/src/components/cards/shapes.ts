/**
 * SVG paths of the cards: suits, blocks behind the figures, frames and lines.
 *
 * Outlines look cut by hand: their points are moved by small fixed amounts, so the same
 * block always looks the same.
 */
import type { Suit } from "../../logic/cards";

type Point = readonly [number, number];

export const suitPath: Record<Suit, string> = {
  C: "M50 6a21 21 0 0 1 17 33a21 21 0 1 1-11 36c1 9 4 14 11 19H33c7-5 10-10 11-19a21 21 0 1 1-11-36A21 21 0 0 1 50 6Z",
  S: "M50 4c7 17 39 33 39 56a19 19 0 0 1-34 12c1 11 4 17 12 22H33c8-5 11-11 12-22a19 19 0 0 1-34-12C11 37 43 21 50 4Z",
  D: "M50 3C59 22 71 38 86 50C71 62 59 78 50 97C41 78 29 62 14 50C29 38 41 22 50 3Z",
  H: "M50 94C38 78 8 62 8 35A22 22 0 0 1 50 26A22 22 0 0 1 92 35C92 62 62 78 50 94Z",
};

function line(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, i) => {
    const t = i / steps;
    return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t] as const;
  });
}

function arc(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  from: number,
  to: number,
  steps: number,
): Point[] {
  return Array.from({ length: steps }, (_, i) => {
    const a = ((from + ((to - from) * i) / steps) * Math.PI) / 180;
    return [cx + rx * Math.cos(a), cy + ry * Math.sin(a)] as const;
  });
}

function ring(corners: readonly Point[], steps: number): Point[] {
  return corners.flatMap((from, i) =>
    line(from, corners[(i + 1) % corners.length] ?? from, steps),
  );
}

/**
 * Moves points by two sines of unrelated periods: irregular, but without randomness.
 */
function waver(points: readonly Point[], by: number): string {
  const pushed = points.map(([x, y], i) => {
    const dx = Math.sin(i * 1.7) * Math.sin(i * 0.37 + 1) * by;
    const dy = Math.cos(i * 2.3) * Math.sin(i * 0.53 + 2) * by;
    return `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  });
  return `M${pushed.join("L")}Z`;
}

const roundArch = [
  ...line([34, 272], [34, 138], 10),
  ...arc(125, 138, 91, 91, 180, 360, 26),
  ...line([216, 138], [216, 272], 10),
  ...line([216, 272], [34, 272], 12),
];
const gothicArch = [
  ...line([34, 272], [34, 158], 8),
  ...arc(174, 158, 140, 140, 180, 249.5, 16),
  ...arc(76, 158, 140, 140, 290.5, 360, 16),
  ...line([216, 158], [216, 272], 8),
  ...line([216, 272], [34, 272], 12),
];
const shield = ring(
  [
    [84, 42],
    [166, 42],
    [216, 96],
    [216, 218],
    [166, 272],
    [84, 272],
    [34, 218],
    [34, 96],
  ],
  7,
);
const oval = arc(125, 157, 92, 116, 0, 360, 60);

export const blockPath: Record<Suit, string> = {
  C: waver(roundArch, 2.2),
  S: waver(gothicArch, 2.2),
  D: waver(shield, 2.2),
  H: waver(oval, 2.2),
};

/** A thin second line around the block. */
export const framePath: Record<Suit, string> = {
  C: "M27 279V138a98 98 0 0 1 196 0V279Z",
  S: "M27 279V158A147 147 0 0 1 125 18A147 147 0 0 1 223 158V279Z",
  D: "M81 35H169L223 93V221L169 279H81L27 221V93Z",
  H: "M27 157a98 122 0 0 1 196 0a98 122 0 0 1-196 0Z",
};

function cuts(count: number, draw: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => draw(i)).join("");
}

/** Lines in the background of each block. Their pattern differs by suit. */
export const gougePath: Record<Suit, string> = {
  C: cuts(17, (i) => {
    const y = 66 + i * 12.5;
    const left = 30 + ((i * 37) % 40);
    const right = 220 - ((i * 53) % 46);
    return `M${left} ${y}Q${125} ${y + ((i % 3) - 1) * 5} ${right} ${y + (i % 2) * 2}`;
  }),
  S: cuts(40, (i) => {
    const a = (i * 9 * Math.PI) / 180;
    const from = 84 + (i % 3) * 9;
    const to = 190;
    const [cos, sin] = [Math.cos(a), Math.sin(a)];
    return `M${(125 + from * cos).toFixed(1)} ${(172 + from * sin).toFixed(1)}L${(125 + to * cos).toFixed(1)} ${(172 + to * sin).toFixed(1)}`;
  }),
  D: cuts(22, (i) => {
    const x = -60 + i * 17;
    return `M${x + ((i * 29) % 30)} ${282 - ((i * 29) % 30)}L${x + 210} ${72 - ((i * 41) % 30)}`;
  }),
  H: cuts(7, (i) => {
    const rx = 50 + i * 9;
    const ry = 66 + i * 11;
    const gap = (i * 47) % 90;
    const p = (deg: number) => {
      const a = (deg * Math.PI) / 180;
      return `${(125 + rx * Math.cos(a)).toFixed(1)} ${(157 + ry * Math.sin(a)).toFixed(1)}`;
    };
    return [0, 120, 240]
      .map((at) => `M${p(gap + at)}A${rx} ${ry} 0 0 1 ${p(gap + at + 96)}`)
      .join("");
  }),
};
