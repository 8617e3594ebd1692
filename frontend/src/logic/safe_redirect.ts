/** Where a sign-in leads that the desk asked for: the desk is no page of this client. */
export function safeRedirect(search: string): string | null {
  const next = new URLSearchParams(search).get("next");
  // Whatever begins so is of this site, so nobody is led elsewhere.
  return next?.startsWith("/desk/") ? next : null;
}
