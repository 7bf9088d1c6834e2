"""The field tables of the trade's practice: which form asks what, in which unit, and when it insists.

One line a field: its name (`list.column` for a column), its type, its unit, and whether the form insists
on it: always, when something else was answered, or never (`no`). After a colon, choices that it names.
"""

TABLES = {
    ("1.1 Lateral", "lateral"): """
        permit_no text - always
        permit_seen_at time - when
        installer_license text - always
        license_class choice - always : master journeyman restricted utility_contractor
        license_expiry date - always
        locate_ticket text - always
        start_legal time - always
        work_start time - always
        notified_at time - when
        notified_by text - when
        channel choice - always : phone text form
        placement_done_at time - always
        arrived_at time - always
        inspected_at time - always
        backfill_start_at time - when
        exposed_len measure ft always
        total_len measure ft always
        station0_ref choice - always : inner_wall_face five_ft_out
        segments list - always
        segments.material choice -
        segments.standard text -
        segments.diameter measure in
        segments.sdr number -
        segments.length measure ft
        inverts list - always
        inverts.station measure ft
        inverts.elevation measure ft
        inverts.benchmark text -
        cover_top list - always
        cover_top.station measure ft
        cover_top.depth measure in
        cover_top.surface choice - : cleared not_cleared
        insulation choice - always : none board box other
        insulation_thickness measure in when
        bottom_condition choice - always : stable stone_over_1_in bedrock wet mucky
        bedding_material choice - always
        bedding_thickness measure in always
        bedding_compaction_basis choice - always
        bedding_density measure pct when
        bends list - when
        bends.station measure ft
        bends.bend_type choice -
        cleanouts list - when
        cleanouts.station measure ft
        cleanouts.cleanout_type choice -
        cleanouts.to_surface bool3 -
        joints choice - always : gasket solvent mechanical transition
        joints_note text - no
        separation_water measure ft when
        separation_water_none bool3 - always
        separation_well measure ft when
        separation_well_none bool3 - always
        locating_method choice - always : tracer gps other_approved
        wire_gauge integer - when
        wire_color choice - when
        wire_offset measure in when
        wire_test_pass bool3 - when
        gps_points list - no
        test_type choice - always : water air
        test_start_value measure psi when
        test_end_value measure psi when
        test_start_at time - when
        test_end_at time - when
        test_segment choice - when
        test_covered bool3 - when
        test_gauge_id text - when
        connection_type choice - when : existing_wye saddle new_wye
        connection_station measure ft when
        connection_offset measure ft when
        connection_protrusion measure in when
        swing_ties list - always
        swing_ties.distance measure ft
        gps place - always
        clear_water_check choice - always : none connected not_checked
        lifts list - no
        lifts.depth measure in
        lifts.depth_basis choice - : loose compacted
        lifts.compaction_method choice -
        lifts.zone choice - : pipe_zone above street
        decision choice - always : release_to_backfill correct_and_recall stop
    """,
    ("2 Tap", "tap"): """
        tapper text - always
        permission_ref text - when
        permitted_kind choice - always : existing_wye saddle cut_in_wye core_and_boot other
        permitted_size measure in always
        installed_kind choice - always : existing_wye saddle cut_in_wye core_and_boot other
        installed_size measure in always
        main_material choice - always : pvc clay concrete ductile_iron other
        main_diameter measure in always
        main_age_class choice - always
        mh_ref text - always
        direction choice - always : downstream upstream
        distance_mh measure ft always
        clock clock - always
        view_direction choice - always : downstream upstream
        joint_distance_up measure in always
        joint_distance_down measure in always
        basis choice - always : edge centre
        opening_dia measure in when
        other_lateral_distance measure in when
        none_exposed bool3 - always
        exposed_length measure in when
        protrusion measure in always
        coupon_recovered bool3 - always
        gasket_boot choice - always : gasket boot
        straps choice - always
        concrete_thickness measure in when
        supervisor_role text - when
        present_from time - when
        present_to time - when
        connection_from time - when
        connection_to time - when
        location_type choice - always : street private
        purpose choice - always : tap repair
        ground_frozen bool3 - no
        frost_depth measure in when
    """,
    ("3 Open excavations", "lateral tap"): """
        location_type choice - always : street highway alley sidewalk terrace private
        opened_at time - always
        open_now bool3 - always
        stays_open_overnight bool3 - when
        closed_at time - when
        depth_max measure ft when
        width measure ft when
        length measure ft when
        protective_system choice - when : none slope bench shore shield
        soil_type choice - when : a b c rock
        egress choice - when
        travel_max measure ft when
        spoil_setback measure ft when
        competent_person_role text - when
        checked_at time - when
        barricades_type choice - when : type_i type_ii type_iii drum fence none
        barricades_count integer - when
        barricades_sides choices - when : north east south west
        lights_type choice - when : type_a type_b type_c type_d other none
        lights_count integer - when
        lights_lit bool3 - when
        frost_depth measure in when
        frost_method choice - when : probe spade tube none
        air_temp measure degF when
        spoil_access_ok bool3 - when
        walk_open bool3 - when
        before_photos list - when
        after_photos list - no
        restoration_accepted_by text - when
        entry_made bool3 - always
        entry_made_reason text - when
    """,
    ("4 Downspouts", "downspout"): """
        notice_no text - when
        notice_date date - when
        delivered_at time - no
        delivery_method choice - no : mail certified hand posted
        outlets list - always
        outlets.id text -
        outlets.side text -
        outlets.type choice - : downspout foundation_drain areaway sump yard_drain other
        outlets.path choice - : surface underground_unknown storm sanitary_direct sanitary_indirect
        outlets.method choice - : visual smoke dye cctv
        outlets.result choice - : connected not_connected not_testable
        outlets.dye_color text -
        outlets.dye_start_at time -
        outlets.dye_manhole_id text -
        outlets.dye_seen_at time -
        outlets.dye_watched_until time -
        outlets.disconnected_at time -
        outlets.verified_at time -
        outlets.capped bool3 -
        outlets.discharge_distance measure ft
        weather choice - always
        rain_24h measure in always
        ground choice - always : dry wet frozen snow
        exceptions list - no
        exceptions.body choice -
        exceptions.exception_date date -
        exceptions.outlets_covered list -
        exceptions.expiry date -
        exceptions.doc text -
        consent_to_enter choice - no : owner tenant refused
        consent_role text - when
        refused_reason text - when
    """,
    ("5 Manholes", "manhole"): """
        manhole_id text - always
        control_manhole_for text - no
        access_ok bool3 - always
        delay_min integer - always
        obstruction text - when
        safety_briefing_at time - when
        site_rules_ack signature - when
        credential_shown_to text - when
        credential_shown_at time - when
        entry choice - always : none permit_entry
        entry_attendant text - when
        entry_entrants text - when
        entry_supervisor signature - when
        entry_rescue text - when
        entry_starts_at time - when
        entry_expires_at time - when
        gas list - always
        gas.depth measure ft
        gas.o2 measure pct
        gas.lel measure pct
        gas.h2s measure ppm
        gas.co measure ppm
        gas.time time -
        gas.meter_id text -
        gas.bump_at time -
        components list - always
        components.component choice - : cover frame chimney cone wall bench channel steps connections
        components.condition choice - : sound defective
        components.note text -
        rim_to_invert measure ft always
        flow_depth measure in always
        flow_state choice - always : free surcharged dry
        stop_work bool3 - no
    """,
    ("6.5 and 6.6 Sampling", "manhole"): """
        meter_id text - when
        probe_id text - when
        cal_at time - when
        by_role text - no
        cal_temp measure degC no
        buffers list - when
        buffers.nominal number -
        buffers.lot text -
        buffers.buffer_expiry date -
        buffers.reading_before number -
        buffers.reading_after number -
        slope measure pct no
        check_nominal number - when
        check_reading number - when
        post_check number - no
        event_id text - when
        facility text - when
        point_id text - when
        point_type choice - when : control_manhole upstream_manhole downstream_manhole other
        reason choice - when : scheduled complaint surcharge resample
        mode choice - when : flow_composite_24h time_composite_24h grab in_place
        sampler_id text - when
        program text - no
        aliquot_ml number - when
        interval_time measure min when
        interval_volume measure gal when
        planned integer - when
        start time - when
        end time - when
        missed list - when
        actual integer - when
        totalizer_start measure gal when
        totalizer_end measure gal when
        totalizer_meter_id text - when
        flow_source choice - when : flow_meter water_meter estimate
        sampler_temp list - when
        sampler_temp.time time -
        sampler_temp.temp measure degC
        workday bool3 - when
        production_note text - no
        weather choice - always
        rain_24h measure in always
        readings list - when
        readings.param choice - : ph temperature chlorine_residual
        readings.value measure by_param
        readings.collected_at time -
        readings.measured_at time -
        readings.meter_id text -
        containers list - no
        containers.sample_id text -
        containers.analyte_group choice -
        containers.container_material choice - : plastic fluoropolymer glass
        containers.volume measure ml
        containers.preservative choice -
        containers.lot text -
        containers.ph_after number -
        containers.filled_at time -
        containers.sealed_by text -
        containers.seal_no text -
        containers.qc_type choice - : normal duplicate field_blank equipment_blank temp_blank
        containers.parent_sample text -
        split_offered_to_user bool3 - when
        split_taken bool3 - when
    """,
}

# What a photo must show, and the field it proves, as each table asks for its evidence.
EVIDENCE = {
    "lateral": """
        overview exposed_len, wall_end station0_ref, main_end connection_offset, joint_group joints,
        cleanout cleanouts, gauge_start test_start_value, gauge_end test_end_value, print_line segments,
        lift lifts, barricade_side barricades_sides.north, barricade_side barricades_sides.east,
        barricade_side barricades_sides.south, barricade_side barricades_sides.west, lights lights_lit,
        frost_probe frost_depth
    """,
    "tap": """
        main_cleaned main_material, layout_marks clock, hole coupon_recovered, inside_edge opening_dia,
        saddle_on installed_kind, tape_at_joint joint_distance_down, tape_at_lateral other_lateral_distance,
        clock_card clock, barricade_side barricades_sides.north, barricade_side barricades_sides.east,
        barricade_side barricades_sides.south, barricade_side barricades_sides.west, lights lights_lit,
        frost_probe frost_depth, opening depth_max
    """,
    "downspout": "outlet_before outlets, outlet_after outlets, cap outlets, dye_in_manhole outlets",
    "manhole": """
        point point_id, setup sampler_id, sampler_display start, sampler_display actual,
        meter_at_reading readings, labels containers, sealed_cooler custody_events
    """,
}


def lines():
    """(table, form, name, type, unit or None, when or None, choices named) for each line."""
    for (table, forms), text in TABLES.items():
        for line in text.strip().splitlines():
            said, _, choices = line.partition(" : ")
            name, kind, unit, *when = said.split()
            for form in forms.split():
                yield (
                    table,
                    form,
                    name,
                    kind,
                    None if unit == "-" else unit,
                    when[0] if when else None,
                    choices.split(),
                )


def evidence():
    """(form, what the photo shows, field it proves)."""
    return [
        (form, *slot.split())
        for form, text in EVIDENCE.items()
        for slot in text.replace("\n", " ").split(",")
    ]
