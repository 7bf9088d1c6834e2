"""The database ends while a request is under way: what was answered is true, all else is sent again."""

from sqlalchemy import event

from inspect_app.store.base import db
from inspect_app.store.sync import OpLog


def test_an_answer_that_was_made_is_given_though_the_database_ended_after_it(app, tablet_a):
    def end(response):
        db.session.connection().connection.driver_connection.close()
        return response

    app.after_request_funcs.setdefault(None, []).append(end)
    assert tablet_a.reference()["pack"]
    app.after_request_funcs[None].remove(end)
    assert tablet_a.reference()["pack"]


def test_a_connection_that_ends_before_the_answer_is_a_busy_server_whatever_the_driver_calls_it(
    app, tablet_a, rows
):
    tablet_a.begin()
    with app.app_context():
        engine = db.engine

    def end_once(cursor, statement, *_rest):
        if statement.startswith("INSERT INTO inspection "):
            event.remove(engine, "do_execute", end_once)
            cursor.connection.close()

    event.listen(engine, "do_execute", end_once)
    answer = tablet_a.post_ops(tablet_a.queue)
    assert answer.status_code == 503
    assert answer.json["type"] == "/problems/busy"
    assert rows(OpLog) == []
    assert tablet_a.post_ops(tablet_a.queue).json["results"][0]["status"] == "applied"
