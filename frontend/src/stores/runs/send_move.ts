/**
 * Sends a move until the server answers.
 *
 * A move has an idempotency key. It is sent again with the same key, so a move that
 * already arrived is answered but not played twice.
 */
import { runsApi } from "../../api/runs";
import { newId } from "../../logic/ids";
import { Problem, Unreachable } from "../../logic/problem";
import { backoffMs } from "../../logic/retry";
import type { MoveAnswer } from "../../api/runs";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const BACKOFF = { firstMs: 400, maxMs: 8_000 };

export interface MoveRequest {
  run: string;
  index: number;
  move: string;
  /** Called before each retry; `attempt` counts from 1. */
  onRetry: (attempt: number, backoffMs: number) => void;
  /** True once the answer is no longer needed. */
  isCancelled: () => boolean;
}

/** Sleeps, but not beyond the browser's "online" event. */
function sleepUntilOnline(ms: number): Promise<unknown> {
  const online = new Promise((resolve) =>
    window.addEventListener("online", resolve, { once: true }),
  );
  return Promise.race([sleep(ms), online]);
}

function retryDelayMs(error: unknown, attempt: number): number | null {
  if (error instanceof Unreachable)
    return error.retryAfterMs ?? backoffMs(attempt, BACKOFF);
  if (error instanceof Problem && error.status === 429) {
    return Number(error.body.retry_after_s ?? 1) * 1000;
  }
  if (error instanceof Problem && error.status >= 500)
    return backoffMs(attempt, BACKOFF);
  return null;
}

/** The answer; null if cancelled. Throws the Problem of a refused move. */
export async function sendMove(request: MoveRequest): Promise<MoveAnswer | null> {
  const { run, index, move } = request;
  const body = { index, move, key: newId() };
  for (let attempt = 1; !request.isCancelled(); attempt += 1) {
    try {
      return await runsApi.move(run, body);
    } catch (error) {
      const ms = retryDelayMs(error, attempt);
      if (ms === null) throw error;
      request.onRetry(attempt, ms);
      await sleepUntilOnline(ms);
    }
  }
  return null;
}
