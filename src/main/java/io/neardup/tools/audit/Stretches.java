package io.neardup.tools.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the pairs of one input partition in stretches of equal length, of which there are never more than
 * {@value #STRETCHES_MAX}: where they become more, two and two become one. Cut into tenths at the end.
 */
final class Stretches {
    static final int TENTHS = 10;
    private static final int STRETCHES_MAX = 1_000;

    private List<Stretch> stretches = new ArrayList<>();
    private int length = 1;
    private long pairs;

    /** What was counted from a record on. */
    static final class Stretch {
        private final long firstMillis;
        private final ShareCounts counts = new ShareCounts();

        Stretch(long firstMillis) {
            this.firstMillis = firstMillis;
        }

        /** The timestamp of the first record. */
        long firstMillis() {
            return firstMillis;
        }

        ShareCounts counts() {
            return counts;
        }
    }

    void add(JudgedPair pair) {
        int at = (int) (pairs / length);
        if (at == STRETCHES_MAX) {
            halve();
            at = (int) (pairs / length);
        }
        if (at == stretches.size()) {
            stretches.add(new Stretch(pair.a().timestampMillis()));
        }
        stretches.get(at).counts.add(pair);
        pairs++;
    }

    private void halve() {
        List<Stretch> halved = new ArrayList<>();
        for (int i = 0; i < stretches.size(); i += 2) {
            Stretch first = stretches.get(i);
            first.counts.add(stretches.get(i + 1).counts);
            halved.add(first);
        }
        stretches = halved;
        length *= 2;
    }

    /** What gets each stretch, with the tenth in which its middle is, 0 to 9. */
    interface Tenths {
        void accept(int tenth, Stretch stretch);
    }

    void cut(Tenths tenths) {
        for (int i = 0; i < stretches.size(); i++) {
            double middle = Math.min((double) pairs, (i + 0.5) * length);
            tenths.accept((int) Math.min(TENTHS - 1, TENTHS * middle / pairs), stretches.get(i));
        }
    }
}
