package io.neardup.service.migration;

import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import java.util.Optional;

/**
 * How far a cutover is, on both sides.
 *
 * @param cutover of the index that hands over
 * @param members of its group, one a stream thread: with none nothing goes on
 * @param successorMembers the same of the index that takes over; 0 where nothing is asked
 * @param successorCoordinatorsLeft coordinators of that one that have not taken over all; empty as long as that is not
 *     settled
 */
public record CutoverProgress(
        Cutover cutover, int members, int successorMembers, Optional<Integer> successorCoordinatorsLeft) {

    /** Whether all has left the one, and is there in the other. */
    public boolean isTakenOver() {
        return cutover.stage() == CutoverStage.EMPTY
                && successorCoordinatorsLeft.filter(left -> left == 0).isPresent();
    }

    /** Whether there is more to come. */
    public boolean goesOn() {
        return cutover.stage() != CutoverStage.NONE && !isTakenOver();
    }
}
