#!/bin/sh
# Sees to a browser for the tests of the report (tests/pages/test_browser.py). Call it with the Python to use.
# It never fails: without a browser those tests are skipped, and say so.
python=${1:-python3}

found() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" > /dev/null 2>&1 && return 0
    done
    "$python" - << 'END' > /dev/null 2>&1
import sys
from pathlib import Path
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not Path(playwright.chromium.executable_path).exists())
END
}

# Without a network a download may wait for ever; `timeout` is not on every system.
patiently() {
    if command -v timeout > /dev/null 2>&1; then timeout 240 "$@"; else "$@"; fi
}

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null 2>&1; then
    echo "installing chromium for the browser tests (apt-get)"
    patiently apt-get -qq update > /dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive patiently apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core > /dev/null 2>&1
    found && exit 0
fi
echo "installing chromium for the browser tests (playwright)"
patiently "$python" -m playwright install chromium > /dev/null 2>&1
found || echo "no browser could be installed: the browser tests will be skipped"
exit 0
