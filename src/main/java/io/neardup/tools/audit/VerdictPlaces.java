package io.neardup.tools.audit;

import io.neardup.record.Verdict.Position;
import java.util.Set;
import java.util.TreeSet;

/**
 * Promises 1 and 4 by verdicts: one for each record of the input, in its order. What was taken before the first verdict
 * that is there is skipped. For one input partition after the other.
 */
final class VerdictPlaces {
    /** Records without a verdict that are kept, in case it comes later. */
    private static final int MISSING_MAX = 100_000;

    private final Breaks conservation = new Breaks();
    private final Breaks order = new Breaks();
    private final Set<Long> missing = new TreeSet<>();
    private long last = -1;
    private long matched;
    private long passedOver;
    private long notLeft;
    private boolean begun;

    /** The next record of the input, of which a later one has a verdict. */
    void passOver(Position record) {
        if (!begun) {
            passedOver++;
        } else if (missing.size() < MISSING_MAX) {
            missing.add(record.offset());
        } else {
            addLost(record);
        }
    }

    private void addLost(Position record) {
        conservation.add("lost", () -> record + ": expected a verdict, found none, and one on a later record");
    }

    /** Whether the verdict is behind the one before, as it must be; else it is told. */
    boolean isNext(Position verdict) {
        if (verdict.offset() > last) {
            last = verdict.offset();
            return true;
        }
        if (missing.remove(verdict.offset())) {
            matched++;
            order.add("out of order", () -> "the verdict on " + verdict + " stands behind that on a later record");
        } else {
            conservation.add("doubled", () -> verdict + ": expected one verdict, found another");
        }
        return false;
    }

    /** The verdict is on the record at hand. */
    void match() {
        begun = true;
        matched++;
    }

    /** @param isDeleted whether the input may have had a record there */
    void noRecord(Position verdict, boolean isDeleted) {
        if (isDeleted) {
            passedOver++;
        } else {
            conservation.add(
                    "of no record", () -> "the verdict on " + verdict + ": expected a record of the input there");
        }
    }

    void noteNotLeft() {
        notLeft++;
    }

    /** What comes from here on is of another input partition. */
    void endPartition(String topic, int partition) {
        missing.forEach(offset -> addLost(new Position(topic, partition, offset)));
        missing.clear();
        last = -1;
        begun = false;
    }

    Breaks conservation() {
        return conservation;
    }

    Breaks order() {
        return order;
    }

    /** Records with a verdict. */
    long matched() {
        return matched;
    }

    /** Records or verdicts whose other side is deleted, or was never there. */
    long passedOver() {
        return passedOver;
    }

    long notLeft() {
        return notLeft;
    }
}
