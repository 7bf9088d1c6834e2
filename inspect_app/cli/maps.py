"""`inspect-app maps`: the layers of a village's map, brought in, listed and taken away."""

from pathlib import Path

import click

from inspect_app.cli.setting_up import application, known_village
from inspect_app.services import maps as service
from inspect_app.services.maps import LAYERS

of_village = click.option("--village", required=True, help="The village's name, such as howards-grove.")


@click.group()
def maps() -> None:
    """Maps that tablets keep."""


@maps.command("add")
@of_village
@click.option("--layer", type=click.Choice(LAYERS), help="Default: what the file is named after.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def maps_add(village: str, layer: str | None, file: Path) -> None:
    """Check FILE and give it to the village's tablets: GeoJSON in EPSG:4326, or basemap.pmtiles."""
    with application():
        kept = service.add(known_village(village), file, layer)
    click.echo(f"{kept.name}: {kept.size:,} bytes, {kept.sha256[:12]}. Tablets hear of it at check-in.")


@maps.command("list")
@of_village
def maps_list(village: str) -> None:
    """List the layers that a village has."""
    with application():
        found = service.layers(known_village(village))
    for one in found:
        click.echo(f"{one.name:12} {one.size:>12,} bytes  {one.sha256[:12]}")
    if not found:
        click.echo("None. Tablets draw a plain schematic of the assignments.")


@maps.command("remove")
@of_village
@click.argument("layer", type=click.Choice(LAYERS))
def maps_remove(village: str, layer: str) -> None:
    """Take a layer away."""
    with application():
        service.remove(known_village(village), layer)
    click.echo(f"{layer} is removed.")
