"""Sessions that keep cookies, and what may go wrong with them."""
import re
from collections import OrderedDict
from typing import Iterable, Optional

_RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})


class Session:
    def __init__(self, base_url: str, timeout: float = 30.0, max_retries: int = 3) -> None:
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self.max_retries = max_retries
        self._cookies: OrderedDict[str, str] = OrderedDict()

    def request(self, method: str, path: str, *, json=None, headers: Optional[dict] = None) -> "Response":
        for attempt in range(1, self.max_retries + 1):
            response = self._send(method.upper(), f"{self.base_url}/{path.lstrip('/')}", json=json, headers={**self._defaults(), **(headers or {})})
            if response.status_code not in _RETRYABLE or attempt == self.max_retries:
                return response
            self._sleep(min(2 ** attempt, 60))
        raise RuntimeError("unreachable")

    @staticmethod
    def _charset(content_type: str) -> Optional[str]:
        match = re.search(r"charset=([\"']?)([\w.:-]+)\1", content_type, flags=re.IGNORECASE)
        return match.group(2).lower() if match else None

    def cookies(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self._cookies[name] for name in names if name in self._cookies}


def get_text(response, default="utf-8"):
    encoding = Session._charset(response.headers.get("Content-Type", "")) or default
    try:
        return response.content.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot decode {len(response.content)} bytes as {encoding!r}") from error
