"""Prevents caching of API responses whose view does not set Cache-Control.

Otherwise an account's own data (runs, standing, exports) would stay in the browser
cache of a shared computer after signing out. Views of public images set Cache-Control.
"""

from typing import Final

from django.http import HttpRequest, HttpResponseBase

from api.rest.core.middleware import response_middleware

API_PATHS: Final = ("/api/", "/_allauth/")


def _set_no_store(request: HttpRequest, response: HttpResponseBase) -> None:
    if request.path_info.startswith(API_PATHS):
        response.headers.setdefault("Cache-Control", "no-store")


# Middleware: send `Cache-Control: no-store` where the view has not set it.
default_no_store = response_middleware(_set_no_store)
