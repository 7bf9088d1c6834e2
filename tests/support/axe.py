"""Asks axe-core about the page that is shown, by the rules of WCAG 2.2 AA."""

from tests.support.tree import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (tags) => {
  const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']});
  const why = (node) => (node.failureSummary ?? '').split('\\n').slice(1, 3).join(' ').trim();
  return found.violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}: ${why(node)}`));
}"""


def show_whole(page, width: int) -> None:
    """Make the window as high as the page: axe does not scroll, and calls what lies under a bar obscured."""
    page.set_viewport_size({"width": width, "height": 900})
    height = page.evaluate("() => document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": max(900, height + 200)})


def violations(page) -> list[str]:
    """One sentence for each place that breaks a rule; the page's context was made with bypass_csp."""
    if not page.evaluate("() => 'axe' in window"):
        page.add_script_tag(path=AXE)
    return page.evaluate(RUN, TAGS)
