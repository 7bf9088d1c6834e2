"""Photos of twelve megapixels on a tablet slowed four times: until one is kept, and memory after a hundred.

Time counts from the choice of the file to the line that says the photo is on the tablet, the worst but one of
twenty; its preview follows by itself. Memory is the page's own process with its share of what it has in
common with others (PSS), a hundred photos on the screen.
Budgets: 1.5 s and 250 MB.
"""

import io
import statistics
import tempfile
from pathlib import Path

from PIL import Image, ImageFilter
from playwright.sync_api import sync_playwright

from bench.places import demonstration_server
from bench.report import Figure, alone
from tests.support.browser import Tablet
from tests.support.cast import enrolment_code
from tests.support.steps import begin, enrol

BUDGET_S, BUDGET_MB = 1.5, 250
SLOWDOWN = 4
PHOTOS = 100
TIMED = 20
SIZE = (4032, 3024)
# Milliseconds from each choice of a file to its line among the photos.
WATCH = """() => {
  const kept = () => document.querySelectorAll('[aria-labelledby="more-h"] li').length;
  window.keptAfter = [];
  document.addEventListener('change', () => {
    const began = performance.now(), before = kept();
    const seen = new MutationObserver(() => {
      if (kept() <= before) return;
      seen.disconnect();
      window.keptAfter.push(performance.now() - began);
    });
    seen.observe(document.querySelector('main'), {childList: true, subtree: true});
  }, true);
}"""


def picture() -> bytes:
    """A JPEG of twelve megapixels with as much detail as a trench has, some five megabytes."""
    fine = Image.effect_noise(SIZE, 60).filter(ImageFilter.GaussianBlur(0.9))
    broad = Image.effect_noise((SIZE[0] // 16, SIZE[1] // 16), 90).resize(SIZE)
    image = Image.merge("RGB", (broad, Image.blend(fine, broad, 0.6), broad))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


def measure() -> list[Figure]:
    with (
        demonstration_server() as server,
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory(prefix="inspect-app-profile-") as folder,
    ):
        photo = Path(folder) / "trench.jpg"
        size = photo.write_bytes(picture())
        tablet = Tablet(playwright, Path(folder) / "profile", server.url)
        page = enrol(tablet, enrolment_code(server, "inspector-a", "barneveld"))
        tablet.go_offline()
        visit = begin(page, server.url, "MH-112")
        page.goto(f"{server.url}/field/#/visit/{visit}/photos")
        page.locator("#photo-other").wait_for(state="attached")
        page.evaluate(WATCH)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        for number in range(PHOTOS):
            page.locator("#photo-other").set_input_files(photo)
            page.wait_for_function(f"() => window.keptAfter.length > {number}", timeout=60_000)
        page.wait_for_timeout(3000)  # what is let go of is swept by then
        times = sorted(page.evaluate("() => window.keptAfter")[:TIMED])
        memory = max(_pss_bytes(process) for process in _renderers(tablet.profile))
        tablet.close()
    return [
        Figure(
            f"12 MP photo of {size / 1e6:.1f} MB kept at 4x, median", statistics.median(times) / 1000, "s"
        ),
        Figure("the same, the worst but one of twenty", times[-2] / 1000, "s", BUDGET_S),
        Figure(f"memory of the page after {PHOTOS} photos", memory / 1e6, "MB", BUDGET_MB),
    ]


def _renderers(profile: Path) -> list[int]:
    """The processes that run pages of the browser of this profile."""
    parents, arguments = {}, {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            arguments[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
            status = (folder / "status").read_text()
        except OSError:
            continue  # it ended meanwhile
        parents[int(folder.name)] = int(status.split("PPid:")[1].split()[0])
    wanted = f"--user-data-dir={profile}"

    def is_of_it(process: int) -> bool:
        while process > 1:
            if wanted in arguments.get(process, "") and "--type=" not in arguments[process]:
                return True
            process = parents.get(process, 0)
        return False

    return [process for process, said in arguments.items() if "--type=renderer" in said and is_of_it(process)]


def _pss_bytes(process: int) -> int:
    """Memory of a process: its own, and its share of what it has in common with others."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"Process {process} says nothing of its memory.")


if __name__ == "__main__":
    alone(measure)
