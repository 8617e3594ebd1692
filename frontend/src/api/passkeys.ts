/** Passkeys in the browser. The library is loaded on first use. */
import { Problem } from "../logic/problem";
import { authApi, type Reply } from "./auth";

const library = () => import("@simplewebauthn/browser");

/** Why passkeys do not work here; "" if they do. */
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

/** Throws the Problem for an error of the browser's passkey dialog. */
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

/** Signs in or reauthenticates with a passkey. */
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

/** Creates a passkey on this device. The reply may ask to reauthenticate first. */
export async function createPasskey(name: string): Promise<Reply> {
  const reply = await authApi.passkeyOptions();
  if (reply.state !== "done") return reply;
  const { startRegistration } = await library();
  const optionsJSON = reply.data.creation_options.publicKey;
  const credential = await startRegistration({ optionsJSON }).catch(throwProblem);
  return authApi.addPasskey(name, credential);
}
