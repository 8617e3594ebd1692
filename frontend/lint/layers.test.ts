// @vitest-environment node
import { readdirSync } from "node:fs";
import { ESLint } from "eslint";
import { expect, it } from "vitest";
import { layers } from "./layers.js";

const eslint = new ESLint();

/** The rules that a file with this text at this path would break. */
async function broken(filePath: string, text: string): Promise<(string | null)[]> {
  const code = filePath.endsWith(".svelte")
    ? `<script lang="ts">\n${text}\n</script>\n`
    : `${text}\n`;
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId);
}

const PATHS = "import-x/no-restricted-paths";
const TYPES = "@typescript-eslint/no-restricted-imports";
const CYCLE = "import-x/no-cycle";

it.each([
  ["src/components/core/New.svelte", 'import "../../pages/core/Home.svelte";', PATHS],
  ["src/stores/core/new.ts", 'import "../../components/core/Torch.svelte";', PATHS],
  ["src/stores/core/new.svelte.ts", 'import "../../routes";', PATHS],
  ["src/api/new.ts", 'import "../stores/core/announcer.svelte";', PATHS],
  ["src/api/new.ts", 'import "../copy/format";', PATHS],
  ["src/copy/new.ts", 'import type { X } from "../stores/runs/table.svelte";', PATHS],
  ["src/logic/new.ts", 'import "../copy/format";', PATHS],
  ["src/pages/core/New.svelte", 'import "./Home.svelte";', PATHS],
  ["src/copy/new.ts", 'import { client } from "../api/client";', TYPES],
  ["src/logic/new.ts", 'import { client } from "../api/client";', TYPES],
  ["src/logic/rooms.ts", 'import "../copy/races";', CYCLE],
  ["src/components/cards/Figure.svelte", 'import "./CardFace.svelte";', CYCLE],
])("refuses in %s: %s", { timeout: 60_000 }, async (filePath, text, rule) => {
  expect(await broken(filePath, text)).toContain(rule);
});

it.each([
  ["src/pages/core/New.svelte", 'import "../../components/core/Torch.svelte";'],
  ["src/stores/core/new.ts", 'import "../../copy/format";'],
  ["src/api/new.ts", 'import "../logic/problem";'],
])("allows in %s: %s", { timeout: 60_000 }, async (filePath, text) => {
  expect(await broken(filePath, text)).toEqual([]);
});

it("has a rule for every folder of src", () => {
  const folders = readdirSync("src", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const others = ["fixtures", "styles"];
  expect(folders.toSorted()).toEqual([...Object.keys(layers), ...others].toSorted());
});
