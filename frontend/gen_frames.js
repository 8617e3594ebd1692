// Writes src/realtime/frames.d.ts: the websocket's messages, from docs/asyncapi.json.
// With --check it writes nothing, and fails where that file is stale.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../docs/asyncapi.json", import.meta.url);
const target = new URL("src/realtime/frames.d.ts", import.meta.url);

const { operations, components } = JSON.parse(await readFile(source, "utf8"));

/** One object with a field for each message that is sent in that direction. */
function byType(action) {
  const names = Object.entries(components.messages)
    .filter(([key]) => `${action}_${key}` in operations)
    .map(([, message]) => message.payload.properties);
  return {
    type: "object",
    properties: Object.fromEntries(names.map(({ t, d }) => [t.const, d])),
    required: names.map(({ t }) => t.const),
  };
}

const document = {
  openapi: "3.1.0",
  info: { title: "The messages of the websocket", version: "1" },
  paths: {},
  components: {
    schemas: {
      ...components.schemas,
      ClientMessages: byType("receive"),
      ServerMessages: byType("send"),
    },
  },
};
const head = "// Made by `npm run gen` from docs/asyncapi.json; do not edit.\n\n";
const text = head + astToString(await openapiTS(document));
if (process.argv.includes("--check")) {
  const isStale = text !== (await readFile(target, "utf8").catch(() => ""));
  if (isStale) console.error("src/realtime/frames.d.ts is stale: npm run gen");
  process.exitCode = isStale ? 1 : 0;
} else {
  await writeFile(target, text);
}
