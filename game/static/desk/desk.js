/* The desk's one script: shows again who one is without leaving what was typed. */
"use strict";

const PROVE = "/_allauth/browser/v1/auth/2fa/reauthenticate";

function csrfToken() {
  const found = document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]*)/);
  return found ? decodeURIComponent(found[1]) : "";
}

async function refusalOf(code) {
  const answer = await fetch(PROVE, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) return "";
  const said = await answer.json().catch(() => ({}));
  return said.errors?.[0]?.message ?? "That did not do. Try again.";
}

for (const form of document.querySelectorAll("form[data-prove]")) {
  const said = form.querySelector(".prove-said");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = form.elements.namedItem("code");
    let refusal;
    try {
      refusal = await refusalOf(field.value.trim());
    } catch {
      refusal = "The site does not answer. Try again.";
    }
    if (refusal) {
      said.textContent = refusal;
      field.select();
      return;
    }
    const done = document.createElement("p");
    done.className = "said";
    done.setAttribute("role", "status");
    done.tabIndex = -1;
    done.textContent = "It is you. Acts go through for 15 minutes.";
    form.replaceWith(done);
    const refused = document.querySelector(".refusal .code");
    if (refused?.textContent === "staff.reauthenticate") refused.parentElement.remove();
    done.focus();
  });
}

document.querySelector(".refusal")?.focus();
