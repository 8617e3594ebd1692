/** Draws a stone arch. */

/**
 * The path of one stone of an arch around (cx, cy), between two angles in degrees
 * (clockwise from the right) and two radii.
 */
export function archStone(
  [cx, cy]: readonly [number, number],
  from: number,
  to: number,
  inner: number,
  outer: number,
): string {
  const at = (radius: number, degrees: number) => {
    const a = (degrees * Math.PI) / 180;
    return `${(cx + radius * Math.cos(a)).toFixed(1)} ${(cy + radius * Math.sin(a)).toFixed(1)}`;
  };
  return `M${at(inner, from)}L${at(outer, from)}A${outer} ${outer} 0 0 1 ${at(outer, to)}L${at(inner, to)}A${inner} ${inner} 0 0 0 ${at(inner, from)}Z`;
}
