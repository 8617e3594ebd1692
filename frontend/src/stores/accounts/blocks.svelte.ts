/** The blocked players. The server enforces blocks; the page only shows them. */
import { blocksApi, type Block } from "../../api/blocks";
import { announcer } from "../core/announcer.svelte";
import { session } from "./session.svelte";

class Blocks {
  all = $state.raw<readonly Block[]>([]);
  #request: Promise<void> | null = null;

  has(player: string): boolean {
    return this.all.some((one) => one.player === player);
  }

  /** Loads the list once; visitors without an account have none. */
  load(): Promise<void> {
    this.#request ??= this.#load().catch((error: unknown) => {
      this.#request = null;
      throw error;
    });
    return this.#request;
  }

  async #load(): Promise<void> {
    if (await session.find()) this.all = await blocksApi.all();
  }

  async add(player: string): Promise<void> {
    await session.ensure();
    this.all = await blocksApi.add(player);
    announcer.say(`${player} is blocked.`);
  }

  async remove(player: string): Promise<void> {
    await blocksApi.remove(player);
    this.all = this.all.filter((one) => one.player !== player);
    announcer.say(`${player} is unblocked.`);
  }
}

export const blocks = new Blocks();
