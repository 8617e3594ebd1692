/** The published rulesets, asked for once. */
import { api } from "../net/api";
import type { Ruleset } from "../net/shapes";

class Rulesets {
  all = $state.raw<readonly Ruleset[]>([]);
  #asking: Promise<void> | null = null;

  async load(): Promise<void> {
    if (this.all.length > 0) return;
    this.#asking ??= api
      .rulesets()
      .then((found) => {
        this.all = found;
      })
      .finally(() => {
        this.#asking = null;
      });
    await this.#asking;
  }

  named(key: string): Ruleset | undefined {
    return this.all.find((ruleset) => ruleset.key === key);
  }

  /** "Tavern": its name, or its key while names are not there yet. */
  nameOf(key: string): string {
    return this.named(key)?.name ?? key;
  }
}

export const rulesets = new Rulesets();
