/**
 * The name and figure of each card.
 *
 * The build also reads this module, to bundle only the figures named here.
 */

export interface Character {
  /** In lower case, as in sentences. */
  name: string;
  /** Name in the icon set. */
  figure: string;
  /** Rotation in degrees clockwise, so that blades point up. */
  turn?: number;
  /** The size relative to the block; 1 fills it. */
  scale?: number;
  /** Offset in card units, after the rotation. */
  dx?: number;
  dy?: number;
}

export const monsters: Record<string, Character> = {
  "2": { name: "rat", figure: "rat" },
  "3": { name: "bat", figure: "evil-bat" },
  "4": { name: "spider", figure: "spider-alt" },
  "5": { name: "goblin", figure: "goblin", scale: 1.08 },
  "6": { name: "skeleton", figure: "skeleton", scale: 1.75, dy: 58 },
  "7": { name: "wolf", figure: "wolf-head" },
  "8": { name: "ghoul", figure: "raise-zombie", dy: 8 },
  "9": { name: "orc", figure: "orc-head" },
  T: { name: "ogre", figure: "ogre" },
  J: { name: "wraith", figure: "grim-reaper", scale: 1.06 },
  Q: { name: "witch", figure: "witch-face", scale: 1.02 },
  K: { name: "demon", figure: "daemon-skull" },
  A: { name: "dragon", figure: "spiked-dragon-head", scale: 1.06 },
};

export const weapons: Record<string, Character> = {
  "2": { name: "knife", figure: "bowie-knife", turn: 45, scale: 0.95 },
  "3": { name: "dagger", figure: "plain-dagger", turn: 225, scale: 0.98 },
  "4": { name: "sickle", figure: "sickle", turn: 0, scale: 0.95 },
  "5": { name: "hatchet", figure: "hatchet", turn: -35 },
  "6": { name: "mace", figure: "flanged-mace", turn: -45, scale: 0.96, dy: -2 },
  "7": { name: "flail", figure: "flail", scale: 0.95 },
  "8": { name: "longsword", figure: "broadsword", turn: -45, scale: 1, dy: -2 },
  "9": { name: "battle-axe", figure: "battle-axe", turn: -45, scale: 0.98, dy: -4 },
  T: { name: "greatsword", figure: "rune-sword", turn: -45, scale: 0.92, dy: -8 },
};

export const potions: Record<string, Character> = {
  "2": { name: "herb", figure: "herbs-bundle" },
  "3": { name: "mushroom", figure: "mushrooms" },
  "4": { name: "honey", figure: "honeypot" },
  "5": { name: "ale", figure: "beer-stein" },
  "6": { name: "tonic", figure: "bubbling-flask" },
  "7": { name: "cordial", figure: "brandy-bottle" },
  "8": { name: "philtre", figure: "round-potion" },
  "9": { name: "draught", figure: "standing-potion" },
  T: { name: "elixir", figure: "health-potion" },
};

/** Icons beside texts, from the same icon set. */
export const glyphs = {
  armed: "broadsword",
  bare: "fist",
  avoid: "run",
  dies: "death-skull",
  blocked: "crossed-chains",
  wasted: "cracked-glass",
  drink: "health-potion",
  hook: "meat-hook",
  free: "cracked-shield",
} as const;
export type GlyphName = keyof typeof glyphs;

export const figureNames: readonly string[] = [
  ...[monsters, weapons, potions]
    .flatMap((cast) => Object.values(cast))
    .map((character) => character.figure),
  ...Object.values(glyphs),
];
