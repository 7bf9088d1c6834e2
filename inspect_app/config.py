"""Every setting of the product, read once from the environment and typed."""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environs import Env

BODY_LIMIT_BYTES = 6 * 1024 * 1024  # the largest tus chunk is 4 MiB; batches of changes stay below 256 KiB


@dataclass(frozen=True)
class Settings:
    """What a village's machine decides; every value has a default that suits one small machine."""

    data: Path
    database_url: str
    secret_key: str
    host: str
    port: int
    villages_dir: Path | None
    upload_limit_bytes: int
    pixel_limit: int
    log_level: str
    testing: bool = False

    @property
    def blobs(self) -> Path:
        return self.data / "blobs"

    @property
    def staging(self) -> Path:
        return self.data / "staging"


def read_settings(**overrides: Any) -> Settings:
    """The settings of this process: the environment, or what a test hands in by name."""
    env = Env()
    data = Path(overrides.pop("data", None) or env.path("INSPECT_APP_DATA", Path("var"))).resolve()
    data.mkdir(parents=True, exist_ok=True)
    extra_villages = env.str("INSPECT_APP_VILLAGES", "")
    values: dict[str, Any] = {
        "data": data,
        "database_url": env.str("DATABASE_URL", "") or f"sqlite:///{data / 'inspect.sqlite3'}",
        "secret_key": env.str("SECRET_KEY", "") or _kept_secret(data / "secret"),
        "host": env.str("HOST", "127.0.0.1"),
        "port": env.int("PORT", 8080),
        "villages_dir": Path(extra_villages) if extra_villages else None,
        "upload_limit_bytes": env.int("INSPECT_APP_UPLOAD_LIMIT", 100 * 1024 * 1024),
        "pixel_limit": env.int("INSPECT_APP_PIXEL_LIMIT", 80_000_000),
        "log_level": env.str("INSPECT_APP_LOG_LEVEL", "INFO"),
    }
    return Settings(**(values | overrides))


def _kept_secret(path: Path) -> str:
    """The secret of this data folder, made on the first start and readable by its owner only.

    It is written beside its place and linked there whole: workers that start at once agree on one, and a
    first start that is killed leaves none that is empty.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(32))
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                path.hardlink_to(draft)
        finally:
            draft.unlink()
    kept = path.read_text()
    if not kept:
        raise RuntimeError(
            f"The file {path} is empty: its first start was cut short. Remove it and start again, or put the"
            " one of your backup in its place."
        )
    return kept
