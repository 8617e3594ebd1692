import { expect, it } from "vitest";
import { Problem, Unreachable } from "../../logic/problem";
import { Submission } from "./submission.svelte";

const refusing = (error: Error) => () => Promise.reject(error);

it("sets errors by field, and the rest for the whole form", async () => {
  const attempt = new Submission();
  const errors = [
    { field: "password", code: "password.length", detail: "Too short." },
    { field: "password", code: "password.weak", detail: "Advice: Add a word" },
  ];
  expect(await attempt.run(refusing(new Problem({ status: 400, errors })))).toBe(false);
  expect(attempt.fieldErrors).toEqual({ password: "Too short. Add a word." });
  expect(attempt.error).toBe("");
  await attempt.run(refusing(new Unreachable()));
  expect(attempt.fieldErrors).toEqual({});
  expect(attempt.error).toContain("No connection");
});

it("maps error codes to fields", async () => {
  const attempt = new Submission();
  const said = { status: 400, code: "name.taken", detail: "That name is taken." };
  await attempt.run(refusing(new Problem(said)));
  expect(attempt.fieldErrors).toEqual({ name: "That name is taken." });
});

it("runs one action at a time, and clears errors", async () => {
  const attempt = new Submission();
  let done: () => void = () => undefined;
  const first = attempt.run(() => new Promise<void>((resolve) => (done = resolve)));
  expect(attempt.busy).toBe(true);
  expect(await attempt.run(() => Promise.resolve())).toBe(false);
  done();
  expect(await first).toBe(true);
  expect(attempt.busy).toBe(false);
});
