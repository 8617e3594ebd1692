/** What the live region says. Said twice, the same words are still heard twice. */

class Announcer {
  text = $state("");
  #odd = false;

  say(words: string): void {
    this.#odd = !this.#odd;
    // A no-break space at the end makes equal words a change.
    this.text = this.#odd ? words : `${words}\u00a0`;
  }
}

export const announcer = new Announcer();
