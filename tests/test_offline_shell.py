"""The tablet app in a real browser without any network: it opens, and under the same policy."""

HELD = """async () => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const answers = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  return answers.map(({headers}) => [headers.get('Content-Type'), headers.get('Content-Security-Policy')]);
}"""


def test_the_app_opens_cold_without_a_network(tablet):
    page = tablet.open()
    tablet.ready_offline()
    heading = page.get_by_role("heading", level=1).text_content()
    page = tablet.reopen(offline=True)
    assert page.get_by_role("heading", level=1).text_content() == heading
    page.reload()
    assert page.get_by_role("heading", level=1).text_content() == heading
    assert tablet.complaints == []


def test_what_the_worker_holds_stands_under_the_policy(tablet):
    page = tablet.open()
    tablet.ready_offline()
    held = page.evaluate(HELD)
    assert len(held) > 50
    assert all(policy and "default-src 'none'" in policy for _kind, policy in held)
    assert {kind.split(";")[0] for kind, _policy in held} >= {"text/html", "text/javascript", "text/css"}
