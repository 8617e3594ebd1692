/** Which page an address means. Small on purpose: patterns, history, links. */
import type { Component } from "svelte";

type Params = Record<string, string>;
// Pages take their own parameters; the router only knows that they are text.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Page = Component<any>;

interface Route {
  pattern: string;
  title: string;
  /** Pages that fill the window themselves, without header and footer. */
  bare?: boolean;
  load: () => Promise<{ default: Page }>;
}

export const routes: readonly Route[] = [
  { pattern: "/", title: "Scoundrel Live", load: () => import("./pages/Home.svelte") },
  {
    pattern: "/play/:runId",
    title: "The table",
    bare: true,
    load: () => import("./pages/Play.svelte"),
  },
  {
    pattern: "/replay/:runId",
    title: "Replay",
    load: () => import("./pages/Replay.svelte"),
  },
  {
    pattern: "/races",
    title: "Races",
    load: () => import("./pages/race/Lobby.svelte"),
  },
  {
    pattern: "/races/now",
    title: "Races",
    load: () => import("./pages/race/Lobby.svelte"),
  },
  {
    pattern: "/race/:raceId",
    title: "Race",
    bare: true,
    load: () => import("./pages/race/Room.svelte"),
  },
  {
    // The short address that is sent around.
    pattern: "/r/:raceId",
    title: "Race",
    bare: true,
    load: () => import("./pages/race/Room.svelte"),
  },
  {
    pattern: "/practice",
    title: "Practice",
    load: () => import("./pages/daily/PracticePage.svelte"),
  },
  {
    pattern: "/daily/:date",
    title: "Daily",
    load: () => import("./pages/daily/DailyPage.svelte"),
  },
  {
    pattern: "/dailies",
    title: "The archive",
    load: () => import("./pages/daily/Archive.svelte"),
  },
  {
    pattern: "/boards",
    title: "Boards",
    load: () => import("./pages/board/Boards.svelte"),
  },
  {
    pattern: "/rules",
    title: "How to play",
    load: () => import("./pages/Rules.svelte"),
  },
  {
    pattern: "/settings",
    title: "Settings",
    load: () => import("./pages/Settings.svelte"),
  },
  {
    pattern: "/sign-up",
    title: "Sign up",
    load: () => import("./pages/account/SignUp.svelte"),
  },
  {
    pattern: "/welcome",
    title: "Welcome",
    load: () => import("./pages/account/Welcome.svelte"),
  },
  {
    pattern: "/verify-email",
    title: "Enter the code",
    load: () => import("./pages/account/VerifyEmail.svelte"),
  },
  {
    pattern: "/verify-email/:key",
    title: "Enter the code",
    load: () => import("./pages/account/VerifyEmail.svelte"),
  },
  {
    pattern: "/sign-in",
    title: "Sign in",
    load: () => import("./pages/account/SignIn.svelte"),
  },
  {
    pattern: "/reset-password",
    title: "Forgotten password",
    load: () => import("./pages/account/ResetPassword.svelte"),
  },
  {
    pattern: "/reset-password/:key",
    title: "Forgotten password",
    load: () => import("./pages/account/ResetPassword.svelte"),
  },
  {
    pattern: "/account",
    title: "Your account",
    load: () => import("./pages/account/Account.svelte"),
  },
  {
    pattern: "/account/:section",
    title: "Your account",
    load: () => import("./pages/account/Account.svelte"),
  },
  {
    pattern: "/players/:name",
    title: "A player",
    load: () => import("./pages/account/PlayerPage.svelte"),
  },
  {
    pattern: "/credits",
    title: "Credits",
    load: () => import("./pages/Credits.svelte"),
  },
];
const lost: Route = {
  pattern: "*",
  title: "No such door",
  load: () => import("./pages/Lost.svelte"),
};

/** The parameters of an address under a pattern; null if it does not fit. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (wanted.length !== given.length) return null;
  const params: Params = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? "";
    if (part.startsWith(":")) {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null; // a stray % is nobody's name
      }
    } else if (part !== value) return null;
  }
  return params;
}

class Router {
  path = $state(location.pathname);
  /** Counts arrivals, so that a page asked for again starts afresh. */
  visit = $state(0);

  found = $derived.by(() => {
    for (const route of routes) {
      const params = match(route.pattern, this.path);
      if (params) return { route, params };
    }
    return { route: lost, params: {} as Params };
  });

  constructor() {
    window.addEventListener("popstate", () => this.#arrive());
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#arrive();
    window.scrollTo(0, 0);
  }

  #arrive(): void {
    this.path = location.pathname;
    this.visit += 1;
  }

  #clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin) return;
    const owned = routes.some((route) => match(route.pattern, link.pathname));
    if (!owned) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
