"""Finds the proxy of an address in the environment: HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, unless NO_PROXY has the address.

httpx can't be used for this: it rejects a NO_PROXY with an IPv6 network, and compares no networks.
"""

import ipaddress
from urllib.request import getproxies, proxy_bypass

import httpx


def _is_in_network(host: str, network: str) -> bool:
    """Returns whether a host is an address in a network such as fd00::/8 or [::1]; False if one of them is something else."""
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(network.strip("[]"), strict=False)
    except ValueError:
        return False


def _is_direct(url: httpx.URL) -> bool:
    entries = [entry.strip() for entry in getproxies().get("no", "").split(",")]
    if "*" in entries or proxy_bypass(url.netloc.decode("ascii")):
        return True
    return any(_is_in_network(url.host, entry) for entry in entries)


def find_environment_proxy(url: httpx.URL) -> tuple[str, str] | None:
    """Returns the name and the value of the setting with the proxy for a URL; None if the environment has none for it."""
    proxies = getproxies()
    for kind in (url.scheme, "all"):
        proxy = proxies.get(kind, "")
        if proxy != "" and not _is_direct(url):
            return f"{kind.upper()}_PROXY", proxy if "://" in proxy else f"http://{proxy}"
    return None
