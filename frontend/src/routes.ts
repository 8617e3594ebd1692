/** Which page each path shows. */
import type { Component } from "svelte";
import { matchPath } from "./logic/path_pattern";

// Pages take their own parameters; the route table only knows that they are strings.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Page = Component<any>;

interface Route {
  pattern: string;
  title: string;
  /** Fills the window, without header and footer. */
  bare?: boolean;
  load: () => Promise<{ default: Page }>;
}

export const routes: readonly Route[] = [
  {
    pattern: "/",
    title: "Scoundrel Live",
    load: () => import("./pages/core/Home.svelte"),
  },
  {
    pattern: "/play/:runId",
    title: "Run",
    bare: true,
    load: () => import("./pages/runs/Play.svelte"),
  },
  {
    pattern: "/learn",
    title: "Learn by playing",
    bare: true,
    load: () => import("./pages/runs/Learn.svelte"),
  },
  {
    pattern: "/replay/:runId",
    title: "Replay",
    load: () => import("./pages/runs/Replay.svelte"),
  },
  {
    pattern: "/races",
    title: "Races",
    load: () => import("./pages/races/Lobby.svelte"),
  },
  {
    pattern: "/races/now",
    title: "Races",
    load: () => import("./pages/races/Lobby.svelte"),
  },
  {
    pattern: "/race/:raceId",
    title: "Race",
    bare: true,
    load: () => import("./pages/races/Race.svelte"),
  },
  {
    // The short path for links to a race.
    pattern: "/r/:raceId",
    title: "Race",
    bare: true,
    load: () => import("./pages/races/Race.svelte"),
  },
  {
    pattern: "/practice",
    title: "Practice",
    load: () => import("./pages/runs/Practice.svelte"),
  },
  {
    pattern: "/daily/:date",
    title: "Daily",
    load: () => import("./pages/dailies/Daily.svelte"),
  },
  {
    pattern: "/dailies",
    title: "Archive",
    load: () => import("./pages/dailies/DailyArchive.svelte"),
  },
  {
    pattern: "/boards",
    title: "Boards",
    load: () => import("./pages/boards/Boards.svelte"),
  },
  {
    pattern: "/rules",
    title: "How to play",
    load: () => import("./pages/core/Rules.svelte"),
  },
  {
    pattern: "/settings",
    title: "Settings",
    load: () => import("./pages/core/Settings.svelte"),
  },
  {
    pattern: "/sign-up",
    title: "Sign up",
    load: () => import("./pages/accounts/SignUp.svelte"),
  },
  {
    pattern: "/welcome",
    title: "Welcome",
    load: () => import("./pages/accounts/Welcome.svelte"),
  },
  {
    pattern: "/verify-email",
    title: "Enter the code",
    load: () => import("./pages/accounts/VerifyEmail.svelte"),
  },
  {
    pattern: "/verify-email/:key",
    title: "Enter the code",
    load: () => import("./pages/accounts/VerifyEmail.svelte"),
  },
  {
    pattern: "/sign-in",
    title: "Sign in",
    load: () => import("./pages/accounts/SignIn.svelte"),
  },
  {
    pattern: "/reset-password",
    title: "Reset password",
    load: () => import("./pages/accounts/ResetPassword.svelte"),
  },
  {
    pattern: "/reset-password/:key",
    title: "Reset password",
    load: () => import("./pages/accounts/ResetPassword.svelte"),
  },
  {
    pattern: "/account",
    title: "Your account",
    load: () => import("./pages/accounts/Account.svelte"),
  },
  {
    pattern: "/account/:section",
    title: "Your account",
    load: () => import("./pages/accounts/Account.svelte"),
  },
  {
    pattern: "/players/:name",
    title: "Player",
    load: () => import("./pages/accounts/Player.svelte"),
  },
  {
    pattern: "/fairness",
    title: "Fairness",
    load: () => import("./pages/core/Fairness.svelte"),
  },
  {
    pattern: "/credits",
    title: "Credits",
    load: () => import("./pages/core/Credits.svelte"),
  },
];
const notFound: Route = {
  pattern: "*",
  title: "Page not found",
  load: () => import("./pages/core/NotFound.svelte"),
};

/** The route of a path and its parameters; the not-found page for an unknown path. */
export function findRoute(path: string): {
  route: Route;
  params: Record<string, string>;
} {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return { route, params };
  }
  return { route: notFound, params: {} };
}

export const isPagePath = (path: string): boolean => findRoute(path).route !== notFound;
