"""Takes the comments and the indentation out of JavaScript and CSS before they go to a tablet.

The modules are served as they are written, without a bundler, and a quarter of them is text for whoever reads
the code. A tablet downloads that over a poor line and never shows it. No name and no order is changed.
"""

import re

QUOTES = "\"'"
# After one of these a slash begins a regular expression; after anything else it divides.
BEFORE_PATTERN = "(,=:[!&|?{};+-*%~^<>"
WORDS_BEFORE_PATTERN = re.compile(
    r"(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await)$"
)
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CSS_INDENT = re.compile(r"\n\s+")


def lean_css(text: str) -> str:
    """The style sheet without comments and indentation."""
    return CSS_INDENT.sub("\n", CSS_COMMENT.sub("", text)).strip() + "\n"


def lean_javascript(text: str) -> str:
    """The module without comments, blank lines and indentation; strings and patterns are untouched."""
    return _Scanner(text).run()


class _Scanner:
    """Walks through a module once, copying what the engine reads."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.out: list[str] = []
        self.last = ""  # the last character of code that is no space
        self.depth = 0
        self.templates: list[int] = []  # the depth of braces at which each open `${` was met

    def run(self) -> str:
        while self.at < len(self.text):
            self._step()
        return "".join(self.out).strip() + "\n"

    def _step(self) -> None:
        here = self.text[self.at]
        if here in QUOTES:
            self._copy_to(self._end_of_string(here))
        elif here == "`":
            self._template(self.at + 1)
        elif here == "}" and self.templates and self.depth == self.templates[-1]:
            self.templates.pop()
            self._template(self.at + 1)
        elif self.text.startswith("//", self.at):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif self.text.startswith("/*", self.at):
            self._block_comment()
        elif here == "/" and self._begins_pattern():
            self._copy_to(self._end_of_pattern())
        elif here == "\n":
            self._line_end()
        else:
            self.depth += (here == "{") - (here == "}")
            self._copy_to(self.at + 1)

    def _copy_to(self, end: int) -> None:
        piece = self.text[self.at : end]
        self.out.append(piece)
        if not piece.isspace():
            self.last = piece[-1]
        self.at = end

    def _line_end(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        while self.out and self.out[-1] in (" ", "\t"):
            self.out.pop()
        if not self.out or self.out[-1] != "\n":
            self.out.append("\n")

    def _block_comment(self) -> None:
        end = self.text.index("*/", self.at) + 2
        # A comment over several lines counts as the end of a line, one within a line as a space.
        comment, self.at = self.text[self.at : end], end
        if "\n" in comment:
            self._line_end()
        elif not self.out or self.out[-1][-1].isspace():
            while self.text[self.at : self.at + 1] in (" ", "\t"):
                self.at += 1
        elif not self.text[self.at : self.at + 1].isspace():
            self.out.append(" ")

    def _template(self, start: int) -> None:
        """Copy the text of a template from `start` to its end or to the next `${`."""
        at = start
        while self.text[at] != "`" and not self.text.startswith("${", at):
            at += 2 if self.text[at] == "\\" else 1
        if self.text[at] == "`":
            self._copy_to(at + 1)
        else:
            self.templates.append(self.depth)
            self._copy_to(at + 2)

    def _end_of_string(self, quote: str) -> int:
        at = self.at + 1
        while self.text[at] != quote:
            at += 2 if self.text[at] == "\\" else 1
        return at + 1

    def _begins_pattern(self) -> bool:
        if not self.last or self.last in BEFORE_PATTERN:
            return True
        return bool(WORDS_BEFORE_PATTERN.search("".join(self.out[-24:]).rstrip()))

    def _end_of_pattern(self) -> int:
        at, is_class = self.at + 1, False
        while self.text[at] != "/" or is_class:
            here = self.text[at]
            is_class = here == "[" or (is_class and here != "]")
            at += 2 if here == "\\" else 1
        return at + 1
