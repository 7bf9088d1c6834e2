"""Each expression as one Python function, written from its tree: a rule is judged at every change.

Walking the tree anew for each judgement takes more than twice as long. `lifts.all(l, l.depth <= 9.0)` becomes

    def run(scope, reads):
        t1, noted = scope['lifts']              # what a name stands for, and the answers this reads
        reads |= noted
        if type(t1) is list:
            t2, t3 = True, None                 # what it gives; the worst failure so far
            for v4 in t1:
                t5 = v4.fields.get('depth') if type(v4) is Record else None
                if t5 is None:
                    t5 = no_field(v4, 'depth')
                elif type(t5) is not Record:
                    reads.add(v4.path + '.depth')
                t6 = compare('<=', t5, c7) if type(t5) is type(c7) is Fraction else operate('<=', t5, c7)
                if t6 is False:
                    t2, t3 = False, None        # one row decides, whatever else is unknown
                    break
                if t6 is not True:
                    t3 = unsure(t3, t6)
            if t3 is not None:
                t2 = t3
        else:
            t2 = no_list('all', t1)
        return t2

A function gives a value or a failure: Missing and CannotCompute are handed on and not raised. Names and
texts of a rule only ever stand in it as literals, numbers as constants, so a rule cannot bring code of its
own. The JavaScript twin walks the tree, in static/pwa/rules/expression.js; change both together.
"""

from inspect_app.domain import steps
from inspect_app.domain.tree import Literal, Name, Node
from inspect_app.domain.writer import Run, written

__all__ = ["Run", "compiled"]


def compiled(node: Node) -> Run:
    """The function that computes a node, kept with the node."""
    try:
        return node.run
    except AttributeError:
        run = _alone(node) or written(node)
        object.__setattr__(node, "run", run)
        return run


def _alone(node: Node) -> Run | None:
    """That of a name or a literal by itself, as most figures have them: nothing needs to be written."""
    if isinstance(node, Literal):
        value = node.value
        return lambda scope, reads: value
    if not isinstance(node, Name):
        return None
    name = node.name

    def run(scope: steps.Names, reads: set[str]) -> steps.Outcome:
        value, noted = scope[name]
        reads |= noted
        return value

    return run
