package io.neardup.service.migration;

import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.MigrationEvent;

/**
 * How far an index is with handing its input over.
 *
 * @param stage as {@link Cutover} has it
 * @param successor the application.id of the index that takes over; empty where nothing is asked
 * @param coordinators of this index
 * @param coordinatorsToFix those of them that still take records
 * @param coordinatorsLeft those of which not all has left
 */
public record MigrationSourceStatus(
        CutoverStage stage, String successor, int coordinators, int coordinatorsToFix, int coordinatorsLeft) {
    public static final MigrationSourceStatus NONE = of(Cutover.NONE);

    static MigrationSourceStatus of(Cutover cutover) {
        return new MigrationSourceStatus(
                cutover.stage(),
                cutover.request().map(MigrationEvent.Asked::successor).orElse(""),
                cutover.request().map(MigrationEvent.Asked::coordinators).orElse(0),
                cutover.coordinatorsToFix(),
                cutover.coordinatorsLeft());
    }

    /** Whether nothing is asked. */
    public boolean isNone() {
        return stage == CutoverStage.NONE;
    }
}
