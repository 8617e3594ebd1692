import { describe, expect, it } from "vitest";
import { safeRedirect } from "./safe_redirect";

describe("safeRedirect", () => {
  it("allows paths of the moderation desk", () => {
    expect(safeRedirect("?next=%2Fdesk%2Fcases%2F%3Fstate%3Dother")).toBe(
      "/desk/cases/?state=other",
    );
  });
  it("allows no other path", () => {
    for (const next of [
      "https://evil.example/desk/",
      "//evil.example",
      "/desk",
      "/",
      "",
    ])
      expect(safeRedirect(`?next=${encodeURIComponent(next)}`)).toBeNull();
    expect(safeRedirect("")).toBeNull();
  });
});
