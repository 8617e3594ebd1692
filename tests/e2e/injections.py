"""Sixty hostile texts, and a page that records whether one of them had an effect.

If a page treated a text as markup, script, style, a URL or a template, the text would
set `window.hit`, open a dialog, or violate the content security policy.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Page

_HIT = "window.hit=1"

TEXTS: tuple[str, ...] = (
    # Elements that run script.
    f"<script>{_HIT}</script>",
    f"<ScRiPt>{_HIT}</sCrIpT>",
    f"<script\t>{_HIT}</script >",
    f"<script/x>{_HIT}</script>",
    f"<<script>{_HIT}//<</script>",
    f"<script>{_HIT}",
    '<script src="data:text/javascript,window.hit=1"></script>',
    '<script src="/static/theme.js?hit"></script>',
    f"</script><script>{_HIT}</script>",
    f"</textarea><script>{_HIT}</script>",
    f"</title><script>{_HIT}</script>",
    f"--><script>{_HIT}</script>",
    f"]]><script>{_HIT}</script>",
    f"<noscript><p title='</noscript><script>{_HIT}</script>'>",
    # Attributes that run script.
    f"<img src=x onerror={_HIT}>",
    f"<img src=x onerror='{_HIT}'>",
    f'<img src="x" OnErRoR="{_HIT}">',
    f"<img/src=x/onerror={_HIT}>",
    f"<img src=x:x onerror\n={_HIT}>",
    f"<svg onload={_HIT}>",
    f"<svg/onload={_HIT}>",
    f"<svg><script>{_HIT}</script></svg>",
    f"<svg><animate onbegin={_HIT} attributeName=x dur=1s>",
    f"<math><mtext><img src=x onerror={_HIT}></mtext></math>",
    f"<body onload={_HIT}>",
    f"<details open ontoggle={_HIT}>x</details>",
    f"<video><source onerror={_HIT}></video>",
    f"<audio src=x onerror={_HIT}>",
    f"<input autofocus onfocus={_HIT}>",
    f"<select autofocus onfocus={_HIT}>",
    f"<marquee onstart={_HIT}>x</marquee>",
    f"<iframe srcdoc='<script>parent.{_HIT}</script>'></iframe>",
    '<iframe src="javascript:parent.hit=1"></iframe>',
    f"<object data=x onerror={_HIT}></object>",
    "<embed src=javascript:window.hit=1>",
    f"<a href=x onmouseover={_HIT}>x</a>",
    f"<p style=animation-name:x onanimationstart={_HIT}>x</p>",
    # URLs that run script.
    "<a href=javascript:window.hit=1>x</a>",
    "<a href='jav&#x09;ascript:window.hit=1'>x</a>",
    "<form action=javascript:window.hit=1><button>x</button></form>",
    "<button formaction=javascript:window.hit=1>x</button>",
    "<base href=//evil.invalid/>",
    "<meta http-equiv=refresh content='0;url=javascript:window.hit=1'>",
    "<link rel=stylesheet href=//evil.invalid/x>",
    # Texts that close a quoted attribute.
    f'"><script>{_HIT}</script>',
    f"'><script>{_HIT}</script>",
    f'" autofocus onfocus="{_HIT}',
    f"' autofocus onfocus='{_HIT}",
    f"` onmouseover={_HIT} `",
    # Styles.
    "<style>*{display:none}</style>",
    "<p style=position:fixed;inset:0;z-index:9999>x</p>",
    '<p style="background:url(//evil.invalid/x)">x</p>',
    # Templates, script and JSON.
    "{{constructor.constructor('window.hit=1')()}}",
    "${window.hit=1}",
    "{@html '<img src=x onerror=window.hit=1>'}",
    "{% debug %}{{ settings.SECRET_KEY }}",
    "');window.hit=1;//",
    '",{"__proto__":{"hit":1}}',
    "&lt;script&gt;window.hit=1&lt;/script&gt;",
    "\\u003cscript\\u003ewindow.hit=1\\u003c/script\\u003e",
)

_WATCH = """
window.policy = [];
document.addEventListener("securitypolicyviolation", event =>
  window.policy.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class WatchedPage(NamedTuple):
    """A page and the violations that were recorded on it."""

    page: Page
    violations: list[str]

    def assert_nothing_ran(self) -> None:
        """Check that no text ran script, opened a dialog or sent a foreign request."""
        self.violations.extend(self.page.evaluate("window.policy"))
        same_host = "new URL(document.baseURI).host === location.host"
        hit = self.page.evaluate(f"[window.hit, ({{}}).hit, {same_host}]")
        assert (hit, self.violations) == ([None, None, True], []), self.page.url


def watch(page: Page) -> WatchedPage:
    """Record policy violations, dialogs, popups and foreign requests of the page."""
    violations: list[str] = []
    page.add_init_script(_WATCH)
    page.on("dialog", lambda dialog: violations.append(f"dialog {dialog.message}"))
    page.on(
        "request",
        lambda request: (
            violations.append(request.url)
            if urlsplit(request.url).hostname != "127.0.0.1"
            else None
        ),
    )
    page.on("popup", lambda popup: violations.append(f"popup {popup.url}"))
    return WatchedPage(page, violations)
