/** Matching of paths against patterns such as "/play/:runId". */

/** The parameters of a path under a pattern; null if it does not match. */
export function matchPath(
  pattern: string,
  path: string,
): Record<string, string> | null {
  const expected = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of expected.entries()) {
    const value = given[i] ?? "";
    if (part.startsWith(":")) {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null; // an invalid percent-encoding names no page
      }
    } else if (part !== value) return null;
  }
  return params;
}
