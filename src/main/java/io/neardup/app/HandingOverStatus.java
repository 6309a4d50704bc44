package io.neardup.app;

import io.neardup.cutover.Cutover;
import io.neardup.cutover.Cutover.CutoverStage;
import io.neardup.cutover.Fact;

/**
 * How far an index is with handing its input over.
 *
 * @param stage as {@link Cutover} has it
 * @param successor the application.id of the index that takes over; empty where nothing is asked
 * @param homes of this index
 * @param homesToFix those of them that still take records
 * @param homesLeft those of which not all has left
 */
public record HandingOverStatus(CutoverStage stage, String successor, int homes, int homesToFix, int homesLeft) {
    static final HandingOverStatus NONE = of(Cutover.NONE);

    static HandingOverStatus of(Cutover cutover) {
        return new HandingOverStatus(
                cutover.stage(),
                cutover.request().map(Fact.Asked::successor).orElse(""),
                cutover.request().map(Fact.Asked::homes).orElse(0),
                cutover.homesToFix(),
                cutover.homesLeft());
    }

    /** Whether nothing is asked. */
    public boolean isNone() {
        return stage == CutoverStage.NONE;
    }
}
