/**
 * Sign-up, sign-in and account security: one function for each call of django-allauth.
 *
 * Answers are returned as a Reply, because "one more step" is not an error. Refusals
 * are thrown as Problem and connection failures as Unreachable, as in the other API
 * modules.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import { csrfToken } from "./csrf";
import { Problem, Unreachable } from "../logic/problem";

const BASE = "/_allauth/browser/v1/";

/** A step that the server offers; pending if it must be the next one. */
export interface Flow {
  id: string;
  is_pending?: boolean;
  types?: readonly string[];
  recipients?: readonly { email?: string }[];
}

export interface Reply<T = unknown> {
  /**
   * done: signed in; step: one more step; reauthenticate: confirm identity; out: signed
   * out.
   */
  state: "done" | "step" | "reauthenticate" | "out";
  data: T;
  meta: Record<string, unknown>;
  flows: readonly Flow[];
}

interface Answer {
  status: number;
  data?: unknown;
  meta?: Record<string, unknown>;
  errors?: { message: string; code: string; param?: string }[];
  retry_after_s?: number;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

function problemOf(answer: Answer, status: number): Problem {
  const errors = (answer.errors ?? []).map(({ message, code, param }) => ({
    field: param ?? "",
    code,
    detail: message,
  }));
  const code = errors[0]?.code ?? (status === 409 ? "auth.wrong_moment" : "unknown");
  const detail = errors[0]?.detail ?? `The server answered ${status}.`;
  const { retry_after_s } = answer;
  return new Problem({ status, code, detail, errors, retry_after_s });
}

/** The Reply for an answer. Throws Problem for a refusal. */
export function replyOf<T>(answer: Answer, status: number): Reply<T> {
  const meta = answer.meta ?? {};
  const data = answer.data as T;
  if (status === 200) return { state: "done", data, meta, flows: [] };
  if (status !== 401) throw problemOf(answer, status);
  const flows = (answer.data as { flows?: Flow[] } | undefined)?.flows ?? [];
  const pending = flows.some((flow) => flow.is_pending);
  const state =
    meta.is_authenticated === true ? "reauthenticate" : pending ? "step" : "out";
  return { state, data, meta, flows };
}

async function call<T>(
  method: Method,
  path: string,
  body?: Record<string, unknown>,
): Promise<Reply<T>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (body) headers["Content-Type"] = "application/json";
  let response: Response;
  let answer: Answer;
  try {
    response = await fetch(BASE + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    answer = (await response.json()) as Answer;
  } catch {
    throw new Unreachable();
  }
  if (response.status >= 502) throw new Unreachable();
  return replyOf<T>(answer, response.status);
}

/** What the server supports: e-mail verification by code, sign-in with other sites. */
export interface Config {
  account: { email_verification_by_code_enabled: boolean };
  socialaccount?: { providers: { id: string; name: string }[] };
}
export interface OwnEmail {
  email: string;
  verified: boolean;
  primary: boolean;
}
export interface Authenticator {
  type: "totp" | "recovery_codes" | "webauthn";
  created_at: number;
  last_used_at: number | null;
  total_code_count?: number;
  unused_code_count?: number;
  id?: number;
  name?: string;
}
export interface OwnSession {
  id: number;
  ip: string;
  user_agent: string;
  created_at: number;
  is_current: boolean;
}
export interface RecoveryCodes {
  unused_codes: string[];
}
interface CreationOptions {
  creation_options: { publicKey: PublicKeyCredentialCreationOptionsJSON };
}
interface RequestOptions {
  request_options: { publicKey: PublicKeyCredentialRequestOptionsJSON };
}
type PasskeyAnswer = AuthenticationResponseJSON;

export const authApi = {
  config: async () => (await call<Config>("GET", "config")).data,
  /** The current state of the sign-in, with the pending step. */
  currentFlow: () => call("GET", "auth/session"),

  signUp: (person: { username: string; email?: string; password: string }) =>
    call("POST", "auth/signup", person),
  verifyEmail: (key: string) => call("POST", "auth/email/verify", { key }),
  resendCode: () => call("POST", "auth/email/verify/resend"),

  signIn: (who: string, password: string) =>
    call("POST", "auth/login", {
      [who.includes("@") ? "email" : "username"]: who,
      password,
    }),
  secondFactor: (code: string) => call("POST", "auth/2fa/authenticate", { code }),
  signOut: () => call("DELETE", "auth/session"),

  requestReset: (email: string) => call("POST", "auth/password/request", { email }),
  resetPassword: (key: string, password: string) =>
    call("POST", "auth/password/reset", { key, password }),

  reauthenticate: {
    byPassword: (password: string) => call("POST", "auth/reauthenticate", { password }),
    bySecondFactor: (code: string) => call("POST", "auth/2fa/reauthenticate", { code }),
    sendCode: (email: string) =>
      call("POST", "auth/reauthenticate/code/request", { email }),
    byMailedCode: (code: string) =>
      call("POST", "auth/reauthenticate/code/confirm", { code }),
  },

  changePassword: (current_password: string | null, new_password: string) =>
    call("POST", "account/password/change", {
      ...(current_password === null ? {} : { current_password }),
      new_password,
    }),
  emails: () => call<OwnEmail[]>("GET", "account/email"),
  addEmail: (email: string) => call<OwnEmail[]>("POST", "account/email", { email }),
  removeEmail: (email: string) =>
    call<OwnEmail[]>("DELETE", "account/email", { email }),

  authenticators: () => call<Authenticator[]>("GET", "account/authenticators"),
  recoveryCodes: () =>
    call<RecoveryCodes>("GET", "account/authenticators/recovery-codes"),
  newRecoveryCodes: () =>
    call<RecoveryCodes>("POST", "account/authenticators/recovery-codes"),
  /** The secret, as text and as a URL for a QR code; null if TOTP is already set up. */
  async totpSecret(): Promise<Reply<{ secret: string; totp_url: string } | null>> {
    const response = await fetch(`${BASE}account/authenticators/totp`).catch(() => {
      throw new Unreachable();
    });
    const answer = (await response.json()) as Answer;
    if (response.status !== 404) {
      return { ...replyOf(answer, response.status), data: null };
    }
    const { secret, totp_url } = answer.meta as { secret: string; totp_url: string };
    return { state: "done", data: { secret, totp_url }, meta: {}, flows: [] };
  },
  enableTotp: (code: string) => call("POST", "account/authenticators/totp", { code }),
  disableTotp: () => call("DELETE", "account/authenticators/totp"),

  passkeyOptions: () =>
    call<CreationOptions>("GET", "account/authenticators/webauthn?passwordless"),
  addPasskey: (name: string, credential: RegistrationResponseJSON) =>
    call("POST", "account/authenticators/webauthn", { name, credential }),
  renamePasskey: (id: number, name: string) =>
    call("PUT", "account/authenticators/webauthn", { id, name }),
  removePasskey: (id: number) =>
    call("DELETE", "account/authenticators/webauthn", { authenticators: [id] }),
  /** The options for using a passkey, and the answer to them. */
  passkeyRequest: (purpose: "login" | "authenticate" | "reauthenticate") =>
    call<RequestOptions>("GET", `auth/webauthn/${purpose}`),
  submitPasskey: (
    purpose: "login" | "authenticate" | "reauthenticate",
    credential: PasskeyAnswer,
  ) => call("POST", `auth/webauthn/${purpose}`, { credential }),

  sessions: () => call<OwnSession[]>("GET", "auth/sessions"),
  endSessions: (sessions: number[]) =>
    call<OwnSession[]>("DELETE", "auth/sessions", { sessions }),
};
