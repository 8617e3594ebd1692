/** The CSRF token. Each sign-in changes it, so it is read for every request. */

/** The value of the CSRF cookie, whose name is different on https. */
export function csrfToken(cookies: string = document.cookie): string {
  for (const name of ["__Host-csrftoken=", "csrftoken="]) {
    const found = cookies.split("; ").find((cookie) => cookie.startsWith(name));
    if (found) return decodeURIComponent(found.slice(name.length));
  }
  return "";
}
