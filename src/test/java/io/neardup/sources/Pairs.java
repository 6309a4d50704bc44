package io.neardup.sources;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import java.util.ArrayList;
import java.util.List;

/** Pairs of candidates. */
final class Pairs {
    private Pairs() {}

    /**
     * Looks each document up and adds it then.
     *
     * @param documents numbered from how many the table holds
     * @return the number of the earlier document, a dash, and that of the later
     */
    static List<String> of(BandTable table, List<BandKeys> documents) {
        List<String> pairs = new ArrayList<>();
        SharedBands earlier = new SharedBands();
        for (BandKeys keys : documents) {
            long number = table.documents();
            earlier.clear();
            table.candidates(number, keys, earlier);
            for (int i = 0; i < earlier.size(); i++) {
                pairs.add(earlier.document(i) + "-" + number);
            }
            table.insert(number, keys);
        }
        return pairs;
    }
}
