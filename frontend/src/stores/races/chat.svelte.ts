/** The chat of a race. */
import { racesApi, type ChatMessage } from "../../api/races";
import { announcer } from "../core/announcer.svelte";

export class ChatStore {
  messages = $state.raw<readonly ChatMessage[]>([]);
  /** The fixed phrases by key. */
  phrases = $state.raw<Readonly<Record<string, string>>>({});
  readonly #race: string;
  readonly #self: () => string | undefined;

  constructor(race: string, self: () => string | undefined) {
    this.#race = race;
    this.#self = self;
  }

  /** Sends a phrase (by key or text), or free text where it is allowed. */
  async say(text: string): Promise<void> {
    this.receive([await racesApi.say(this.#race, text)]);
  }

  /** Loads messages that were missed. */
  async fetch(): Promise<void> {
    try {
      const since = this.messages.at(-1)?.number ?? 0;
      const { results, phrases } = await racesApi.chat(this.#race, since);
      this.phrases = phrases;
      this.#addNew(results);
    } catch {
      // Failures are ignored: the chat is not essential.
    }
  }

  /** Adds new messages and announces those of others. */
  receive(messages: readonly ChatMessage[]): void {
    for (const { player, text } of this.#addNew(messages)) {
      if (player !== this.#self()) announcer.say(`${player}: ${text}`);
    }
  }

  /** Removes a message that a moderator deleted. */
  remove(number: number): void {
    this.messages = this.messages.filter((one) => one.number !== number);
  }

  /** Adds and returns the messages that are new, in order. */
  #addNew(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    const isKnown = (number: number) =>
      this.messages.some((one) => one.number === number);
    const fresh = messages.filter(({ number }) => number && !isKnown(number));
    if (fresh.length > 0) {
      this.messages = [...this.messages, ...fresh].sort((a, b) => a.number - b.number);
    }
    return fresh;
  }
}
