/**
 * The HTTP client of the REST API.
 *
 * Calls throw Problem (the server refused) or Unreachable (no answer, or an answer from
 * a gateway instead of the server).
 */
import createClient, { type Middleware } from "openapi-fetch";
import { csrfToken } from "./csrf";
import { Problem, Unreachable, type ProblemBody } from "../logic/problem";
import type { paths } from "./schema";

const csrf: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") {
      request.headers.set("X-CSRFToken", csrfToken());
    }
  },
};

export const client = createClient<paths>({
  baseUrl: location.origin,
  // Looked up at each call, so that tests can replace it.
  fetch: (request) => globalThis.fetch(request),
});
client.use(csrf);

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

function errorOf(answer: ApiResponse<unknown>): Problem | Unreachable {
  const { error, response } = answer;
  const after = Number(response.headers.get("Retry-After"));
  const body = error !== null && typeof error === "object" ? error : null;
  if (response.status >= 502 || body === null) {
    return new Unreachable(after > 0 ? after * 1000 : null);
  }
  return new Problem({ ...(body as ProblemBody), status: response.status });
}

async function successful<T>(
  pending: Promise<ApiResponse<T>>,
): Promise<ApiResponse<T>> {
  const answer = await pending.catch(() => {
    throw new Unreachable();
  });
  if (!answer.response.ok) throw errorOf(answer);
  return answer;
}

export async function responseData<T>(pending: Promise<ApiResponse<T>>): Promise<T> {
  const answer = await successful(pending);
  if (answer.data === undefined) throw errorOf(answer);
  return answer.data;
}

/** For calls whose answer is a text, which may be empty. */
export async function responseText(
  pending: Promise<ApiResponse<string>>,
): Promise<string> {
  // The client has no data for an empty text.
  return (await successful(pending)).data ?? "";
}

/** For calls whose answer has no body. */
export async function expectSuccess(
  pending: Promise<ApiResponse<unknown>>,
): Promise<void> {
  await successful(pending);
}
