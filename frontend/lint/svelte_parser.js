/**
 * Parses Svelte files for eslint-plugin-import-x, which looks for imports at the top
 * level of a module only: the statements of the script elements are moved there.
 */
import * as parser from "svelte-eslint-parser";

export const { meta } = parser;

export function parseForESLint(code, options) {
  const parsed = parser.parseForESLint(code, {
    ...options,
    // The parser fails without tokens.
    tokens: true,
    parser: "@typescript-eslint/parser",
  });
  const statements = parsed.ast.body.flatMap((node) =>
    node.type === "SvelteScriptElement" ? node.body : [],
  );
  return { ...parsed, ast: { ...parsed.ast, body: statements } };
}
