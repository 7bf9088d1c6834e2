"""YAML as plain data, read twice as fast as by the library's own constructor.

Packs and forms are some ten thousand texts; the library asks each what it is, and builds it in steps.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

# libyaml reads the same text several times as fast; a platform without it has the slower reader.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT, _LIST, _MAPPING, _MERGE = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map", "merge"))


class _PlainLoader(_LOADER):  # type: ignore[misc]
    """Builds texts, lists and mappings itself and leaves all else to the safe loader."""

    def get_single_data(self) -> Any:
        self.built: dict[int, Any] = {}  # what has several names in the file stays one thing
        node = self.get_single_node()
        return None if node is None else self.plain(node)

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> Any:
        """The tag of a node: what stands in quotes is a text without further question."""
        if kind is ScalarNode and not implicit[0]:
            return _TEXT
        return super().resolve(kind, value, implicit)

    def descend_resolver(self, node: Node, index: Any) -> None:
        """Tags by path, which are not used here."""

    def ascend_resolver(self) -> None:
        """Likewise."""

    def plain(self, node: Node) -> Any:
        tag = node.tag
        if isinstance(node, ScalarNode):
            return node.value if tag == _TEXT else self.construct_object(node)
        if id(node) in self.built:
            return self.built[id(node)]
        if isinstance(node, SequenceNode) and tag == _LIST:
            items: list[Any] = []
            self.built[id(node)] = items
            items += [self.plain(item) for item in node.value]
            return items
        if isinstance(node, MappingNode) and tag == _MAPPING:
            return self.mapping(node)
        return self.construct_object(node, deep=True)

    def mapping(self, node: MappingNode) -> dict[Any, Any]:
        members: dict[Any, Any] = {}
        self.built[id(node)] = members
        if any(key.tag == _MERGE for key, _ in node.value):
            self.flatten_mapping(node)
        for key_node, value_node in node.value:
            key = self.plain(key_node)
            if isinstance(key, list | dict):
                place = key_node.start_mark
                raise ConstructorError("in a mapping", node.start_mark, "found a key that is no text", place)
            members[key] = self.plain(value_node)
        return members


def read(text: str) -> Any:
    """The plain data of a YAML text; yaml.YAMLError where it is none."""
    return yaml.load(text, Loader=_PlainLoader)  # noqa: S506  (a safe loader)


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """While much is built that stays: the collector would walk all of it again and again and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
