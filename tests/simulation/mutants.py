"""One planted fault for each rule of the protocol: the invariants are worth what they catch."""

from tests.simulation import mutants_server as server
from tests.simulation import mutants_tablet as tablet

SEEDS = range(1, 61)
# Where the first seeds do not bring about what it takes: the one of them that does is tried first.
TRIED_FIRST = {
    "resolve_without_saw": 10,
    "whole_unchecked": 18,
    "custody_forks_unseen": 9,
    "op_before_space": 51,
}
MUTANTS = {
    maker.__name__: maker
    for maker in (
        server.no_dedupe,
        server.acknowledge_before_commit,
        server.last_writer_wins,
        server.trust_device_time,
        server.delete_wins,
        server.no_sequence_check,
        server.no_noop_rule,
        server.no_other_names,
        server.candidate_lost,
        server.resolve_without_saw,
        server.no_epoch_check,
        server.no_alias,
        server.quarantine_blocks,
        server.raw_takes_no_place,
        server.number_without_feed,
        server.feed_skips,
        server.never_forget,
        server.offset_before_part,
        server.whole_unchecked,
        server.no_compare_and_set,
        server.custody_forks_unseen,
        server.edit_revives,
        server.signature_unchecked,
        server.old_formats_unread,
        tablet.no_trunk_rule,
        tablet.overlay_removed_at_acknowledgement,
        tablet.forget_on_send,
        tablet.cursor_before_data,
        tablet.frees_at_stored,
        tablet.new_epoch_ignored,
        tablet.former_enrolments_forgotten,
        tablet.update_rewrites_queue,
        tablet.op_before_space,
    )
}
