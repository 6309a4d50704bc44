package io.neardup.engine.protocol;

import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.SketchTable;
import java.util.Arrays;

/** How unlike candidates of a coordinator are to who asks, by their sketches. */
final class KnownSketches {
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private long[] sequences = new long[0];
    private int[] differences = new int[0];

    KnownSketches(Originals originals, ReleaseQueue<?> queue) {
        this.originals = originals;
        this.queue = queue;
    }

    /**
     * On how many values the sketch of each differs from that of who asks: {@link SketchTable#UNKNOWN} where it is not
     * at hand, 0 for all where who asks has none.
     *
     * @param candidates of this coordinator
     * @return one each, and maybe more behind; until the next call
     */
    int[] differences(DocumentRefs candidates, BitSketch asker) {
        int count = candidates.size();
        if (differences.length < count) {
            sequences = new long[2 * count];
            differences = new int[2 * count];
        }
        Arrays.fill(differences, 0, count, asker.isNone() ? 0 : SketchTable.UNKNOWN);
        if (!asker.isNone()) {
            for (int i = 0; i < count; i++) {
                sequences[i] = DocumentRef.sequence(candidates.packed(i));
            }
            originals.sketches().differences(sequences, count, asker, differences);
            queue.sketches().differences(sequences, count, asker, differences);
        }
        return differences;
    }
}
