/** Short synthesised sounds. Nothing is loaded until the player turns sound on. */
import type { Effect } from "../../api/runs";
import { settings } from "./settings.svelte";

// ZzFX parameters in order: volume, randomness, frequency, attack, sustain, release,
// shape, shape curve, slide, delta slide, pitch jump, ...
type SoundParameters = (number | undefined)[];
const _ = undefined;
const sounds = {
  card: [0.35, 0.1, 1200, _, 0.01, 0.02, 4, 0.3, -40, _, _, _, _, 6],
  blade: [0.5, 0.05, 900, _, 0.02, 0.12, 2, 1.8, -12, _, 260, 0.03, _, 0.6],
  blow: [0.8, 0.1, 110, _, 0.02, 0.14, 3, 2.2, -6, _, _, _, _, 1.4, _, 0.2],
  gulp: [0.5, 0.05, 260, 0.01, 0.05, 0.08, 0, 1, 9, _, -90, 0.05],
  crack: [0.4, 0.1, 1800, _, 0.01, 0.1, 4, 2, -80, _, _, _, _, 8],
  door: [0.7, 0.02, 70, 0.05, 0.15, 0.4, 2, 0.6, 1.5, _, _, _, _, 0.8],
  horn: [0.9, 0, 174, 0.08, 0.5, 0.5, 2, 0.5, _, _, 87, 0.16, _, 0.1, _, _, 0.05, 0.8],
  tick: [0.4, 0, 640, _, 0.01, 0.05, 1, 1.2],
  out: [0.7, 0.02, 180, 0.02, 0.2, 0.5, 4, 1.2, -3, _, _, _, _, 4],
} satisfies Record<string, SoundParameters>;

export type Sound = keyof typeof sounds;

export function soundOfEffect(effect: Effect): Sound {
  switch (effect.kind) {
    case "fought":
      return effect.damage === 0 || effect.armed ? "blade" : "blow";
    case "healed":
      return "gulp";
    case "wasted":
      return "crack";
    case "died":
      return "out";
    case "cleared":
      return "door";
    default:
      return "card";
  }
}

export async function play(sound: Sound): Promise<void> {
  if (!settings.sound) return;
  const { zzfx } = await import("zzfx");
  zzfx(...sounds[sound]);
}
