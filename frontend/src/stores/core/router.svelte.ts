/** The current path: history, links and navigation. Which page it shows is in routes.ts. */

class Router {
  path = $state(location.pathname);
  /** Counts navigations, so that opening the same page again recreates it. */
  visit = $state(0);

  /** Follows links and the browser's history; `isPage` tells this site's pages from other paths. */
  start(isPage: (path: string) => boolean): void {
    window.addEventListener("popstate", () => this.#update());
    document.addEventListener("click", (event) => this.#followLink(event, isPage));
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#update();
    window.scrollTo(0, 0);
  }

  #update(): void {
    this.path = location.pathname;
    this.visit += 1;
  }

  #followLink(event: MouseEvent, isPage: (path: string) => boolean): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || !isPage(link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
