/** The query string of the boards page. */
import type { BoardKey, Pool } from "../api/boards";
import type { DifficultyKey, RulesetKey } from "../api/dailies";

export interface BoardQuery {
  board: BoardKey;
  ruleset: RulesetKey;
  difficulty: DifficultyKey;
  /** A date, a week or a season; "" for the current one. */
  of: string;
  pool: Pool;
}

export const defaultBoardQuery: BoardQuery = {
  board: "daily",
  ruleset: "tavern-1",
  difficulty: "normal",
  of: "",
  pool: "people",
};

const allowed: { readonly [K in keyof BoardQuery]: RegExp } = {
  board: /^(daily|week|season|best|fastest|streak|rating)$/,
  ruleset: /^(tavern|bound|flee|original)-1$/,
  difficulty: /^(easy|normal|hard)$/,
  of: /^(\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}|\d{1,4})$/,
  pool: /^(people|bots)$/,
};

/** Parses a query string; invalid values become the defaults. */
export function parseBoardQuery(query: string): BoardQuery {
  const given = new URLSearchParams(query);
  const found = Object.entries(allowed).flatMap(([name, pattern]) => {
    const value = given.get(name);
    return value !== null && pattern.test(value) ? [[name, value]] : [];
  });
  return {
    ...defaultBoardQuery,
    ...(Object.fromEntries(found) as Partial<BoardQuery>),
  };
}

/** The query string for a board; defaults are left out. */
export function formatBoardQuery(query: BoardQuery): string {
  const changed = Object.entries(query).filter(
    ([name, value]) => value !== defaultBoardQuery[name as keyof BoardQuery],
  );
  const text = new URLSearchParams(changed).toString();
  return text ? `?${text}` : "";
}
