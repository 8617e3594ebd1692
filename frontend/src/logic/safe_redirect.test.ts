import { describe, expect, it } from "vitest";
import { onward } from "./safe_redirect";

describe("onward", () => {
  it("leads back to the desk", () => {
    expect(onward("?next=%2Fdesk%2Fcases%2F%3Fstate%3Dother")).toBe(
      "/desk/cases/?state=other",
    );
  });
  it("leads nowhere else", () => {
    for (const next of [
      "https://evil.example/desk/",
      "//evil.example",
      "/desk",
      "/",
      "",
    ])
      expect(onward(`?next=${encodeURIComponent(next)}`)).toBeNull();
    expect(onward("")).toBeNull();
  });
});
