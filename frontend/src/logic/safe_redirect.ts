/**
 * The path in `next` to go to after a sign-in; null unless it is on the moderation
 * desk, which is no page of this client.
 */
export function safeRedirect(search: string): string | null {
  const next = new URLSearchParams(search).get("next");
  // Only paths of this site are followed, so a link cannot lead to another site.
  return next?.startsWith("/desk/") ? next : null;
}
