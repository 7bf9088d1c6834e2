"""What an expression of cel-subset/1 gives: a value, unknown with the missing answers, or an error.

Precedence where several things happen at once: a deciding value, then an error, then unknown. What each node
means is in compiled.py. The JavaScript twin is static/pwa/rules/expression.js; change both together.
"""

from inspect_app.domain.scope import Result, Scope, evaluate, value_of
from inspect_app.domain.syntax import parse

__all__ = ["Result", "Scope", "evaluate", "parse", "value_of"]
