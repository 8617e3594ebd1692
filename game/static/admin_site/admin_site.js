/* Confirms the identity on the page itself, so that typed text is kept. */
"use strict";

const REAUTHENTICATE_URL = "/_allauth/browser/v1/auth/2fa/reauthenticate";

function csrfToken() {
  const found = document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]*)/);
  return found ? decodeURIComponent(found[1]) : "";
}

async function errorOf(code) {
  const response = await fetch(REAUTHENTICATE_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify({ code }),
  });
  if (response.ok) return "";
  const body = await response.json().catch(() => ({}));
  return body.errors?.[0]?.message ?? "The code was not accepted. Try again.";
}

for (const form of document.querySelectorAll("form[data-prove]")) {
  const message = form.querySelector(".prove-error");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = form.elements.namedItem("code");
    let error;
    try {
      error = await errorOf(field.value.trim());
    } catch {
      error = "The server does not respond. Try again.";
    }
    if (error) {
      message.textContent = error;
      field.select();
      return;
    }
    const done = document.createElement("p");
    done.className = "success";
    done.setAttribute("role", "status");
    done.tabIndex = -1;
    done.textContent = "Identity confirmed. You can act for 15 minutes.";
    form.replaceWith(done);
    const refused = document.querySelector(".refusal .code");
    if (refused?.textContent === "staff.reauthenticate") refused.parentElement.remove();
    done.focus();
  });
}

document.querySelector(".refusal")?.focus();
