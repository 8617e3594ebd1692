/** Notifies other tabs of this browser that a run has changed. */

export class OtherTabs {
  #channel: BroadcastChannel | null = null;

  /** Listens for moves of one run, and stops listening for any other. */
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
