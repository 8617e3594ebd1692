/** Passkeys: the browser's part, loaded when somebody wants one. */
import { Problem } from "../logic/problem";
import { authApi, type Reply } from "./auth";

const library = () => import("@simplewebauthn/browser");

/** Why there can be no passkey here; "" if there can. */
export function passkeyUnavailableReason(): string {
  if (/^[\d.]+$|^\[/.test(location.hostname)) {
    return "Passkeys need a host name, but this site is open by its IP address. Open it as localhost or by its name.";
  }
  if (!window.isSecureContext) return "Passkeys need https.";
  if (typeof window.PublicKeyCredential !== "function") {
    return "This browser does not support passkeys.";
  }
  return "";
}

/** What the browser's own dialog ended with, in our words. */
function throwProblem(error: unknown): never {
  const known = error instanceof Error && error.name === "InvalidStateError";
  throw new Problem({
    status: 400,
    code: known ? "passkey.known" : "passkey.dropped",
    detail: known
      ? "This device already has a passkey of your account."
      : "The browser returned no passkey. Nothing has changed.",
  });
}

/** Shows a passkey at one of three doors. */
export async function usePasskey(
  purpose: "login" | "authenticate" | "reauthenticate",
): Promise<Reply> {
  const reply = await authApi.passkeyRequest(purpose);
  if (reply.state !== "done") return reply;
  const { startAuthentication } = await library();
  const optionsJSON = reply.data.request_options.publicKey;
  const credential = await startAuthentication({ optionsJSON }).catch(throwProblem);
  return authApi.submitPasskey(purpose, credential);
}

/** Makes a passkey on this device; the reply may ask for proof, before anything. */
export async function createPasskey(name: string): Promise<Reply> {
  const reply = await authApi.passkeyOptions();
  if (reply.state !== "done") return reply;
  const { startRegistration } = await library();
  const optionsJSON = reply.data.creation_options.publicKey;
  const credential = await startRegistration({ optionsJSON }).catch(throwProblem);
  return authApi.addPasskey(name, credential);
}
