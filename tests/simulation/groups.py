"""What inspectors measure: three groups of the manhole form, with few values so that they meet."""

GROUPS = {
    "structure": lambda random: {"manhole_id": f"M-{random.randrange(4)}"},
    "weather": lambda random: {"weather": random.choice(["dry", "drizzle", "rain", "snow"])},
    "dimensions": lambda random: {
        "rim_to_invert": {"value": random.choice(["8", "8.0", "8 1/2", "9"]), "unit": "ft"},
        "flow_state": random.choice(["free", "surcharged"]),
    },
}


def choice_of(random, conflict):
    """How somebody settles a conflict: one of its values, or one measured again."""
    group = conflict["what"].removeprefix("group:")
    take = random.choice(["current", "candidate", "value"] if group in GROUPS else ["current"])
    value = GROUPS[group](random) if take == "value" else None
    if take == "candidate":
        value = random.choice(conflict["candidates"])["op"]
    return {"conflict_id": conflict["id"], "take": take, "value": value, "reason": "measured again"}
