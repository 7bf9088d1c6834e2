"""What an inspector does on a tablet, as steps that several tests and measurements share."""


def enrol(tablet, code: str, name: str = "Tablet 1"):
    """Open the address of the enrolment code and go through the first minutes, to the list of assignments."""
    page = tablet.open(f"/field/#enrol={code}")
    page.locator("#field-name").fill(name)
    page.locator("form button[type=submit]").click()
    page.locator("#store-go, ol.steps3 li.now .btn.go").first.wait_for()
    page.goto(tablet.origin + "/field/#/")
    page.locator("[data-assignment]").first.wait_for()
    tablet.ready_offline()
    return page
