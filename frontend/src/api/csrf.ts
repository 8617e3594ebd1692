/** The token against forged requests, read afresh: each sign-in changes it. */

/** Its value among the cookies; a site on https gives it a name of its own. */
export function csrfToken(cookies: string = document.cookie): string {
  for (const name of ["__Host-csrftoken=", "csrftoken="]) {
    const found = cookies.split("; ").find((cookie) => cookie.startsWith(name));
    if (found) return decodeURIComponent(found.slice(name.length));
  }
  return "";
}
