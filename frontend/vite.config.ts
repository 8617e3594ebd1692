import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vitest/config";
import { figureNames } from "./src/logic/card_characters.ts";

/**
 * Serves `virtual:figures`: the path data of just the figures our cast wears,
 * picked from the icon package at build time, so no icon set is shipped whole.
 */
function figures(): Plugin {
  const id = "virtual:figures";
  return {
    name: "card-figures",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const set = JSON.parse(
        readFileSync("node_modules/@iconify-json/game-icons/icons.json", "utf8"),
      ) as { icons: Record<string, { body: string }> };
      const picked: Record<string, string> = {};
      for (const name of figureNames) {
        const body = set.icons[name]?.body;
        if (!body) throw new Error(`no figure named ${name}`);
        picked[name] = [...body.matchAll(/ d="([^"]+)"/g)].map((m) => m[1]).join(" ");
      }
      return `export default ${JSON.stringify(picked)};`;
    },
  };
}

const api = process.env.SCOUNDREL_API ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/static/",
  plugins: [figures(), svelte()],
  build: {
    outDir: "dist",
    target: "es2022",
    // A strict content policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  server: {
    proxy: Object.fromEntries(
      ["/api", "/_allauth", "/healthz", "/ws"].map((path) => [
        path,
        { target: api, ws: path === "/ws" },
      ]),
    ),
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts", "lint/**/*.test.ts"],
  },
});
