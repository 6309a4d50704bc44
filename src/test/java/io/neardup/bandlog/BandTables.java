package io.neardup.bandlog;

import io.neardup.lsh.BandKeys;
import io.neardup.lsh.SharedBands;
import io.neardup.protocol.Ref;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What tests ask of logged band tables. */
public final class BandTables {
    private BandTables() {}

    /** A document of one of five homes. */
    public static Ref ref(int document) {
        return new Ref(document % 5, document);
    }

    /** Who shares buckets with a document, and how many. */
    public static Map<Ref, Integer> candidates(LoggedBandTable table, Ref document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, Integer.MAX_VALUE, found);
        Map<Ref, Integer> shared = new HashMap<>();
        for (int i = 0; i < found.size(); i++) {
            shared.put(Ref.unpack(found.document(i)), found.bandsShared(i));
        }
        return shared;
    }

    /** Who shares buckets with a document, in the order in which they are named. */
    public static List<Ref> named(LoggedBandTable table, Ref document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, Integer.MAX_VALUE, found);
        return IntStream.range(0, found.size())
                .mapToObj(i -> Ref.unpack(found.document(i)))
                .toList();
    }
}
