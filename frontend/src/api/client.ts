/**
 * Every call to the server, one function each. Throws Problem (it said no) or
 * Unreachable (nothing was heard, or a gateway answered in its stead).
 */
import createClient, { type Middleware } from "openapi-fetch";
import { csrfToken } from "./csrf";
import { Problem, Unreachable, type ProblemBody } from "../logic/problem";
import type { paths } from "./schema";

const signed: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") {
      request.headers.set("X-CSRFToken", csrfToken());
    }
  },
};

export const client = createClient<paths>({
  baseUrl: location.origin,
  // Looked up at each call, so that tests may stand in for the network.
  fetch: (request) => globalThis.fetch(request),
});
client.use(signed);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

function refusal(answer: Answer<unknown>): Problem | Unreachable {
  const { error, response } = answer;
  const after = Number(response.headers.get("Retry-After"));
  const said = error !== null && typeof error === "object" ? error : null;
  if (response.status >= 502 || said === null) {
    return new Unreachable(after > 0 ? after * 1000 : null);
  }
  return new Problem({ ...(said as ProblemBody), status: response.status });
}

async function heard<T>(asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asked.catch(() => {
    throw new Unreachable();
  });
  if (!answer.response.ok) throw refusal(answer);
  return answer;
}

export async function answerOf<T>(asked: Promise<Answer<T>>): Promise<T> {
  const answer = await heard(asked);
  if (answer.data === undefined) throw refusal(answer);
  return answer.data;
}

/** For calls that are answered with nothing but that they were done. */
export async function doneOf(asked: Promise<Answer<unknown>>): Promise<void> {
  await heard(asked);
}
