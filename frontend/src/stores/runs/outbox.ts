/**
 * Sends one move until the server has answered it.
 *
 * A move carries a key of its own. When nothing is heard the same key is sent again, so
 * a move that did arrive is answered, never played twice.
 */
import { runsApi } from "../../api/runs";
import { newId } from "../../logic/ids";
import { Problem, Unreachable } from "../../logic/problem";
import { waitMs } from "../../logic/retry";
import type { MoveAnswer } from "../../api/runs";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const BACKOFF = { firstMs: 400, mostMs: 8_000 };

export interface Delivery {
  run: string;
  index: number;
  move: string;
  /** Called before each wait; `attempt` counts from 1. */
  onTrouble: (attempt: number, waitMs: number) => void;
  /** True once nobody waits for the answer any more. */
  isGivenUp: () => boolean;
}

/** Ends early when the browser says that it is connected again. */
function patience(ms: number): Promise<unknown> {
  const online = new Promise((resolve) =>
    window.addEventListener("online", resolve, { once: true }),
  );
  return Promise.race([sleep(ms), online]);
}

function pause(error: unknown, attempt: number): number | null {
  if (error instanceof Unreachable)
    return error.retryAfterMs ?? waitMs(attempt, BACKOFF);
  if (error instanceof Problem && error.status === 429) {
    return Number(error.body.retry_after_s ?? 1) * 1000;
  }
  if (error instanceof Problem && error.status >= 500) return waitMs(attempt, BACKOFF);
  return null;
}

/** The answer, or null when given up. Throws the Problem of a refused move. */
export async function deliver(delivery: Delivery): Promise<MoveAnswer | null> {
  const { run, index, move } = delivery;
  const body = { index, move, key: newId() };
  for (let attempt = 1; !delivery.isGivenUp(); attempt += 1) {
    try {
      return await runsApi.move(run, body);
    } catch (error) {
      const ms = pause(error, attempt);
      if (ms === null) throw error;
      delivery.onTrouble(attempt, ms);
      await patience(ms);
    }
  }
  return null;
}
