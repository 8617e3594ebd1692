/**
 * The text of the live region for screen readers. Repeated texts are announced again.
 */

class Announcer {
  text = $state("");
  #odd = false;

  say(words: string): void {
    this.#odd = !this.#odd;
    // A no-break space at the end makes an equal text a change.
    this.text = this.#odd ? words : `${words}\u00a0`;
  }
}

export const announcer = new Announcer();
