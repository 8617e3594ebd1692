/** The frames of the websocket; the messages in them are generated. */
import type { components } from "./frames";

/** The version of every frame. */
export const VERSION = 1;

/** What the page sends, by `t`. */
export type ClientMessages = components["schemas"]["ClientMessages"];
/** What the server sends, by `t`. */
export type ServerMessages = components["schemas"]["ServerMessages"];

/** A frame from the server. `id` names the message that it answers. */
export type ServerFrame = {
  [T in keyof ServerMessages]: {
    v: typeof VERSION;
    t: T;
    id?: string;
    seq?: number;
    at: string;
    d: ServerMessages[T];
  };
}[keyof ServerMessages];
