import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import { layers, typesOnly } from "./lint/layers.js";
import svelteConfig from "./svelte.config.js";

const sources = ["src/**/*.ts", "src/**/*.svelte"];
const tests = ["src/**/*.test.ts", "src/fixtures/**"];

export default ts.config(
  {
    ignores: [
      "dist/",
      "node_modules/",
      "src/api/schema.d.ts",
      "src/realtime/frames.d.ts",
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: {
        parser: ts.parser,
        extraFileExtensions: [".svelte"],
        svelteConfig,
      },
    },
  },
  {
    rules: {
      "no-undef": "off",
      "svelte/no-at-html-tags": "error",
      "svelte/no-navigation-without-resolve": "off",
      eqeqeq: "error",
    },
  },
  {
    files: sources,
    plugins: { "import-x": importX },
    settings: {
      "import-x/extensions": [".ts", ".svelte"],
      "import-x/parsers": {
        "@typescript-eslint/parser": [".ts"],
        [fileURLToPath(new URL("lint/svelte_parser.js", import.meta.url))]: [".svelte"],
      },
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".d.ts"] })],
    },
    rules: { "import-x/no-cycle": "error" },
  },
  {
    files: sources,
    ignores: tests,
    rules: {
      "import-x/no-restricted-paths": [
        "error",
        {
          zones: Object.entries(layers).map(([layer, allowed]) => ({
            target: `./src/${layer}`,
            from: "./src",
            except: allowed.map((folder) => `./${folder}`),
            message: `${layer}/ may import from ${allowed.join(", ")} only.`,
          })),
        },
      ],
    },
  },
  {
    files: typesOnly.map((layer) => `src/${layer}/**/*.ts`),
    ignores: tests,
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^\\.\\./(.*/)?api/",
              allowTypeImports: true,
              message: "Import types only from api/ here.",
            },
          ],
        },
      ],
    },
  },
);
