/** SHA-256, HMAC and signatures in the browser, with texts and hexadecimal numbers. */

const bytes = (text: string) => new TextEncoder().encode(text);

function hex(buffer: ArrayBuffer): string {
  return [...new Uint8Array(buffer)]
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("");
}

const unhex = (text: string) =>
  new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** Browsers offer these functions on secure origins only (https or localhost). */
export const canHash = (): boolean => Boolean(globalThis.crypto?.subtle);

export async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes(text)));
}

export async function hmac(key: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, [
    "sign",
  ]);
  return hex(await crypto.subtle.sign("HMAC", made, bytes(text)));
}

/** Whether an Ed25519 key signed the text; null if this browser cannot tell. */
export async function isSigned(
  publicKey: string,
  text: string,
  signature: string,
): Promise<boolean | null> {
  if (!canHash()) return null;
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", unhex(publicKey), "Ed25519", false, [
      "verify",
    ]);
  } catch {
    return null; // the browser has no Ed25519
  }
  return crypto.subtle.verify("Ed25519", key, unhex(signature), bytes(text));
}
