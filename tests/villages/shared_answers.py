"""One set of answers that both villages judge, each by its own ordinance."""

DAY = "2026-06-18"
NOON = f"{DAY}T12:00:00-05:00"


def measured(value, unit):
    return {"value": str(value), "unit": unit}


def reading(param, value, unit):
    return {"param": param, "value": measured(value, unit), "collected_at": NOON, "measured_at": NOON}


def result(analyte, value, **more):
    return {
        "analyte": analyte,
        "lab_result": str(value),
        "unit": "mg/l",
        "sample_type": "grab",
        "qc_type": "normal",
        **more,
    }


ANSWERS = {
    # At the trench
    "location_type": "street",
    "open_now": "yes",
    "observed_at": NOON,
    "stays_open_overnight": "no",
    "barricades_type": "type_ii",
    "barricades_count": "4",
    "barricades_sides": ["north", "east", "south", "west"],
    "lights_type": "none",
    "gps": {"lat": "43.4", "lon": "-88.8", "accuracy_m": "4"},
    "purpose": "tap",
    "frost_depth": measured("0.5", "in"),
    "backfill_started": "yes",
    "lifts": [{"zone": "street", "depth": measured("9.5", "in"), "depth_basis": "loose", "compacted": "yes"}],
    # The tap and the lateral
    "clock": "4:00",
    "clock_method": "protractor",
    "joint_distance_up": measured(96, "in"),
    "joint_distance_down": measured("5.5", "in"),
    "other_lateral_distance": measured(20, "in"),
    "basis": "edge",
    "station0_ref": "inner_wall_face",
    "defect_side": "street_side",
    "work_type": "repair",
    # Clear water
    "ground": "dry",
    "weather": "dry",
    "outlets": [
        {
            "id": "D1",
            "type": "downspout",
            "path": "sanitary_direct",
            "method": "dye",
            "result": "connected",
            "dye_start_at": f"{DAY}T09:00:00-05:00",
            "dye_watched_until": f"{DAY}T09:20:00-05:00",
            "connection_age": "existing",
        }
    ],
    "notice_issued": "yes",
    "notice_kind": "downspout",
    "notice_body": "village_board",
    "notice_date": "2026-05-04",
    # The manhole and its laboratory
    "event_id": "SE-26-011",
    "check_nominal": "7.00",
    "check_reading": "7.00",
    "receipt_temp": measured(4, "degC"),
    "receipt_at": f"{DAY}T15:00:00-05:00",
    "receipt_ice_present": "yes",
    "receipt_seal_state": "intact",
    "collection_ended_at": f"{DAY}T11:00:00-05:00",
    "readings": [reading("ph", "5.49", "ph"), reading("temperature", "150.1", "degF")],
    "lab_results": [
        result("bod5", 420, sample_type="composite", composite_hours="24"),
        result("tss", 300, sample_type="composite", composite_hours="24"),
        result("oil_grease_hem", "100.1"),
    ],
    "flow_gpd": measured(9000, "gal/d"),
    "strength_bod": measured(420, "mg/l"),
    "strength_tss": measured(300, "mg/l"),
    "strength_tp": measured("10.01", "mg/l"),
    "strength_tkn": measured("33.1", "mg/l"),
    "unshredded_garbage_seen": "yes",
    "garbage_source": "commercial",
    "largest_particle": measured("0.51", "in"),
    "carried_freely": "yes",
    "manholes_sampled": ["downstream"],
    "series": [{"time": f"{DAY}T08:{at:02d}:00-05:00", "reading": "201"} for at in (0, 5, 10, 15)]
    + [{"time": f"{DAY}T08:20:00-05:00", "reading": "150"}],
    "series_interval_min": "5",
    "series_quantity": "BOD, mg/l",
    "baseline_average": "40",
    "baseline_source": "2026-05-04 to 2026-05-08, plant log",
    "hauler_discharge_observed": "yes",
    # Entry
    "entered_at": f"{DAY}T06:59:00-05:00",
    "consent_to_enter": "owner",
    "credential_shown": "no",
    # Bills and appeals
    "user_kind": "industrial",
    "annual_water": measured(1_000_000, "gal"),
    "annual_not_sewered": measured(200_100, "gal"),
    "deduct_meter_exists": "no",
    "deduct_volume": measured(200_100, "gal"),
    "use_class": "residential",
    "living_units": "4",
    "dfu_total": "60",
    "charge_kind": "user_charge",
    "developed": "yes",
    "connected_to_sewer": "yes",
    "bill_date": "2026-04-15",
    "due_date": "2026-05-01",
    "paid_on": "2026-05-20",
    "forfeiture_amount": measured("74.99", "usd"),
    "served_on": "2026-06-01",
    "decision_date": "2026-06-01",
    "reconsideration_filed_on": "2026-06-18",
    "capacity_segments": [{"segment": "Trunk", "has_capacity": "no"}],
}
CONTEXT = {
    "today": DAY,
    "timezone": "America/Chicago",
    "clock_offset_s": 0,
    "sunrise_calc": f"{DAY}T05:15:00-05:00",
    "sunset_calc": f"{DAY}T20:40:00-05:00",
    "control_manhole_exists": False,
}
