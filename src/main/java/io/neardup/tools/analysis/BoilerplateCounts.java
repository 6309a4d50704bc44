package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Boilerplate shingles of each kind, counted when they are first asked for. Safe for use by several threads. */
final class BoilerplateCounts {
    /** Enough for a share of 5 %, few enough to be compared with each other by every shingle. */
    private static final int DOCUMENTS_MAX = 1_000;

    /** Bytes of theirs, for the same reason. */
    private static final long BYTES_MAX = 1 << 23;

    /** The share of documents that may be judged whole. */
    private static final double WHOLE_MAX = 0.05;

    private final List<ComparedText> sample;
    private final Map<String, BoilerplateCount> counts = new ConcurrentHashMap<>();

    BoilerplateCounts(List<ComparedText> texts) {
        Reservoir<ComparedText> drawn = new Reservoir<>(DOCUMENTS_MAX, BYTES_MAX, ComparedText::length);
        texts.forEach(text -> drawn.offer(Reservoir.lot(text.number(), text.number()), () -> text));
        this.sample = drawn.drawn();
    }

    BoilerplateCount of(Shingling shingling) {
        return counts.computeIfAbsent(
                shingling.spec(),
                kind -> BoilerplateCount.of(sample, List.of(), shingling.whole(), BoilerplateCount.DEFAULT_SHARE));
    }

    /** What is left without the boilerplate: those that are given, else those of the sample. */
    Shingling without(Shingling shingling) {
        return shingling.boilerplate() != null
                ? shingling
                : of(shingling).boilerplate().map(shingling::without).orElse(shingling);
    }

    /**
     * Whether a shingling leaves enough of the documents. Those of which too little would be left are judged whole:
     * among themselves they are alike by their boilerplate, which looks like copies.
     */
    boolean isLeavingEnough(Shingling shingling) {
        if (shingling.boilerplate() == null) {
            return true;
        }
        Shingler filtered = shingling.shingler(0);
        Shingles left = new Shingles();
        int whole = 0;
        for (ComparedText text : sample) {
            text.shingle(filtered, left);
            whole += left.isKeptWhole() ? 1 : 0;
        }
        return whole <= WHOLE_MAX * sample.size();
    }
}
