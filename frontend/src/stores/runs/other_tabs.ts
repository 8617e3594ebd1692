/** Tells the other tabs of this browser that a run has moved on. */

export class OtherTabs {
  #channel: BroadcastChannel | null = null;

  /** Listens for one run's moves, and for no other's any more. */
  listen(run: string, onMoved: () => void): void {
    this.close();
    if (typeof BroadcastChannel === "undefined") return;
    this.#channel = new BroadcastChannel(`scoundrel.run.${run}`);
    this.#channel.onmessage = onMoved;
  }

  notify(): void {
    this.#channel?.postMessage("moved");
  }

  close(): void {
    this.#channel?.close();
    this.#channel = null;
  }
}
