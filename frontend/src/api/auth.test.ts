import { expect, it } from "vitest";
import { replyOf } from "./auth";
import { csrfToken } from "./csrf";
import { Problem } from "../logic/problem";

const flows = (...given: object[]) => ({ status: 401, data: { flows: given } });

it("tells the states of a reply apart", () => {
  expect(replyOf({ status: 200, data: 1 }, 200).state).toBe("done");
  const step = flows({ id: "login" }, { id: "verify_email", is_pending: true });
  expect(replyOf(step, 401).state).toBe("step");
  expect(replyOf(flows({ id: "login" }), 401).state).toBe("out");
  const again = {
    ...flows({ id: "reauthenticate" }),
    meta: { is_authenticated: true },
  };
  expect(replyOf(again, 401).state).toBe("reauthenticate");
});

it("throws a refusal with errors by field", () => {
  const errors = [{ message: "No.", code: "name.taken", param: "username" }];
  try {
    replyOf({ status: 400, errors }, 400);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).body.errors).toEqual([
      { field: "username", code: "name.taken", detail: "No." },
    ]);
  }
  expect(() => replyOf({ status: 409 }, 409)).toThrow(/409/);
});

it("reads the cookie under either name", () => {
  expect(csrfToken("a=1; csrftoken=abc")).toBe("abc");
  expect(csrfToken("csrftoken=old; __Host-csrftoken=new")).toBe("new");
  expect(csrfToken("other_csrftoken=x")).toBe("");
});
