// Runs before the first paint, so the page never flashes in the wrong theme.
// Kept as a file because the content policy allows no inline script.
(function () {
  try {
    var kept = JSON.parse(localStorage.getItem("scoundrel.settings") || "{}");
    var root = document.documentElement;
    if (kept.theme && kept.theme !== "system") root.dataset.theme = kept.theme;
    if (kept.bigText) root.dataset.text = "big";
  } catch {
    // Storage may be refused: the system's theme is then right.
  }
})();
