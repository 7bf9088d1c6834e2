"""The words of laboratories and what they mean here: columns, analytes, units, kinds of sample.

What is not in these tables is not guessed: its row waits for a person.
"""

# The columns of the simple CSV, in the order of the template that can be downloaded.
COLUMNS = (
    "coc_no",
    "sample_id",
    "lab_sample_id",
    "collected_at",
    "received_at",
    "analyzed_at",
    "reported_at",
    "matrix",
    "sample_type",
    "composite_hours",
    "analyte",
    "cas",
    "fraction",
    "result",
    "qualifier",
    "detect_flag",
    "unit",
    "reported_as",
    "mdl",
    "rl",
    "dilution",
    "method",
    "method_edition",
    "incubation_days",
    "lab_name",
    "lab_cert_no",
    "receipt_temp_c",
    "lab_comment",
    "qc_type",
    "parent_sample_id",
)
NEEDED = ("coc_no", "sample_id", "analyte", "result", "unit", "collected_at")
OTHER_NAMES = {
    "chain_of_custody": "coc_no",
    "coc": "coc_no",
    "coc_number": "coc_no",
    "client_sample_id": "sample_id",
    "field_id": "sample_id",
    "sample": "sample_id",
    "lab_id": "lab_sample_id",
    "labsampid": "lab_sample_id",
    "collected": "collected_at",
    "date_collected": "collected_at",
    "received": "received_at",
    "date_received": "received_at",
    "analyzed": "analyzed_at",
    "date_analyzed": "analyzed_at",
    "reported": "reported_at",
    "parameter": "analyte",
    "cas_number": "cas",
    "cas_no": "cas",
    "value": "result",
    "qualifiers": "qualifier",
    "flag": "qualifier",
    "units": "unit",
    "loq": "rl",
    "reporting_limit": "rl",
    "lod": "mdl",
    "detection_limit": "mdl",
    "dilution_factor": "dilution",
    "analysis_method": "method",
    "lab": "lab_name",
    "laboratory": "lab_name",
    "comment": "lab_comment",
    "comments": "lab_comment",
    "sample_qc_type": "qc_type",
}
ANALYTES = {
    "bod": "bod5",
    "bod5": "bod5",
    "bod_5": "bod5",
    "biochemical_oxygen_demand": "bod5",
    "bod_5_day": "bod5",
    "cbod5": "cbod5",
    "cbod": "cbod5",
    "bod7": "bod7",
    "cod": "cod",
    "chemical_oxygen_demand": "cod",
    "tss": "tss",
    "total_suspended_solids": "tss",
    "suspended_solids_total": "tss",
    "solids_total_suspended": "tss",
    "tds": "tds",
    "total_dissolved_solids": "tds",
    "ssc": "ssc",
    "settleable_solids": "settleable_solids",
    "total_phosphorus": "total_phosphorus",
    "phosphorus_total": "total_phosphorus",
    "tp": "total_phosphorus",
    "orthophosphate": "orthophosphate",
    "tkn": "tkn",
    "total_kjeldahl_nitrogen": "tkn",
    "nitrogen_total_kjeldahl": "tkn",
    "total_nitrogen": "total_nitrogen",
    "ammonia_n": "ammonia_n",
    "ammonia_nitrogen": "ammonia_n",
    "ammonia_as_n": "ammonia_n",
    "organic_n": "organic_n",
    "oil_grease_hem": "oil_grease_hem",
    "oil_and_grease": "oil_grease_hem",
    "oil_and_grease_hem": "oil_grease_hem",
    "oil_grease": "oil_grease_hem",
    "hem": "oil_grease_hem",
    "ph": "ph",
    "temperature": "temperature",
    "chlorine_residual": "chlorine_residual",
    "chlorine_total_residual": "chlorine_residual",
    "chlorine_requirement": "chlorine_requirement",
    "iron": "iron",
    "fe": "iron",
    "chromium": "chromium",
    "cr": "chromium",
    "chromium_vi": "chromium_vi",
    "chromium_hexavalent": "chromium_vi",
    "copper": "copper",
    "cu": "copper",
    "zinc": "zinc",
    "zn": "zinc",
    "cyanide": "cyanide",
    "cyanide_total": "cyanide",
    "phenols": "phenols",
    "phenolics": "phenols",
    "total_phenols": "phenols",
}
ANALYTE_OF_CAS = {
    "7439-89-6": "iron",
    "7440-47-3": "chromium",
    "18540-29-9": "chromium_vi",
    "7440-50-8": "copper",
    "7440-66-6": "zinc",
    "57-12-5": "cyanide",
    "7723-14-0": "total_phosphorus",
}
UNITS = {
    "mg/l": "mg/l",
    "mgl": "mg/l",
    "ug/l": "ug/l",
    "µg/l": "ug/l",  # the micro sign
    "μg/l": "ug/l",  # the Greek letter
    "ugl": "ug/l",
    "su": "su",
    "s.u.": "su",
    "std_units": "su",
    "ph_units": "su",
    "ph": "su",
}
MATRICES = {
    "wastewater": "wastewater",
    "waste_water": "wastewater",
    "ww": "wastewater",
    "plant_influent": "plant_influent",
    "influent": "plant_influent",
    "plant_composite": "plant_composite",
    "water": "water",
}
SAMPLE_TYPES = {
    "composite": "composite",
    "comp": "composite",
    "c": "composite",
    "24_h_composite": "composite",
    "grab": "grab",
    "g": "grab",
    "in_place": "in_place",
    "field": "in_place",
}
FRACTIONS = {"total": "total", "t": "total", "dissolved": "dissolved", "d": "dissolved"}
DETECTED = {
    "detected": "detected",
    "y": "detected",
    "yes": "detected",
    "not_detected": "not_detected",
    "n": "not_detected",
    "no": "not_detected",
    "nd": "not_detected",
    "below_reporting_limit": "below_reporting_limit",
    "below_rl": "below_reporting_limit",
}
REPORTED_AS = {"as_p": "as_p", "p": "as_p", "as_po4": "as_po4", "po4": "as_po4", "as_n": "as_n", "n": "as_n"}
FIELD_SAMPLES = {
    "": "normal",
    "normal": "normal",
    "n": "normal",
    "duplicate": "duplicate",
    "field_duplicate": "duplicate",
    "fd": "duplicate",
    "field_blank": "field_blank",
    "fb": "field_blank",
    "equipment_blank": "equipment_blank",
    "eb": "equipment_blank",
    "temp_blank": "temp_blank",
}
# The laboratory's own quality control: kept, and never held against anybody.
LABORATORY_QC = frozenset(
    {
        "mb",
        "method_blank",
        "lb",
        "lab_blank",
        "lcs",
        "lcsd",
        "laboratory_control_sample",
        "ms",
        "msd",
        "matrix_spike",
        "matrix_spike_duplicate",
        "lab_duplicate",
        "lab_d",
        "trip_blank",
        "surrogate",
    }
)
CHOICES = {
    "matrix": MATRICES,
    "sample_type": SAMPLE_TYPES,
    "fraction": FRACTIONS,
    "detect_flag": DETECTED,
    "reported_as": REPORTED_AS,
}


def plain(text: str) -> str:
    """A word as the tables have it: lower case, with one underline between its parts."""
    kept = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return "_".join(kept.split())


def column_of(header: str) -> str | None:
    """The column a header stands for, or None where it is none that is known."""
    word = plain(header)
    return word if word in COLUMNS else OTHER_NAMES.get(word)


def unit_of(text: str) -> str | None:
    """`mg/l`, `ug/l` or `su` of a unit as it was written, or None."""
    word = text.strip().lower().replace(" ", "_")
    return UNITS.get(word)
