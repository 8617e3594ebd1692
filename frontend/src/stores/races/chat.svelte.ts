/** What is said in a race, as far as this page may hear it. */
import { racesApi, type ChatMessage } from "../../api/races";
import { announcer } from "../core/announcer.svelte";

export class ChatStore {
  messages = $state.raw<readonly ChatMessage[]>([]);
  /** The fixed phrases there are, by their keys. */
  phrases = $state.raw<Readonly<Record<string, string>>>({});
  readonly #race: string;
  readonly #self: () => string | undefined;

  constructor(race: string, self: () => string | undefined) {
    this.#race = race;
    this.#self = self;
  }

  /** A phrase by its key or words, or free words where they are let. */
  async say(text: string): Promise<void> {
    this.receive([await racesApi.say(this.#race, text)]);
  }

  /** What was said while nobody listened. */
  async fetch(): Promise<void> {
    try {
      const since = this.messages.at(-1)?.number ?? 0;
      const { results, phrases } = await racesApi.chat(this.#race, since);
      this.phrases = phrases;
      this.#addNew(results);
    } catch {
      // Talk is worth a try, not a warning.
    }
  }

  /** Messages as they come; others' are told to the ear. */
  receive(messages: readonly ChatMessage[]): void {
    for (const { player, text } of this.#addNew(messages)) {
      if (player !== this.#self()) announcer.say(`${player}: ${text}`);
    }
  }

  /** A line that a moderator took out. */
  remove(number: number): void {
    this.messages = this.messages.filter((one) => one.number !== number);
  }

  /** Keeps what is new, in order; answers with it. */
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
