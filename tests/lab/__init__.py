import json
import re
from typing import Any


def state_in(page: str) -> Any:
    """The state in a page that needs no kernel, as its script reads it."""
    (text,) = re.findall(r'id="clwork-state">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)
