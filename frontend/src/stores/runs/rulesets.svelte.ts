/** The published rulesets, loaded once. */
import { runsApi } from "../../api/runs";
import type { Ruleset } from "../../api/runs";

class Rulesets {
  all = $state.raw<readonly Ruleset[]>([]);
  #request: Promise<void> | null = null;

  async load(): Promise<void> {
    if (this.all.length > 0) return;
    this.#request ??= runsApi
      .rulesets()
      .then((found) => {
        this.all = found;
      })
      .finally(() => {
        this.#request = null;
      });
    await this.#request;
  }

  named(key: string): Ruleset | undefined {
    return this.all.find((ruleset) => ruleset.key === key);
  }

  /** The name of a ruleset; its key until the names are loaded. */
  nameOf(key: string): string {
    return this.named(key)?.name ?? key;
  }
}

export const rulesets = new Rulesets();
