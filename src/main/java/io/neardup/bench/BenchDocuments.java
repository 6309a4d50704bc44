package io.neardup.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The documents of a benchmark, numbered from 0, without an end. Any of them can be made at any time, by several
 * threads at once, and is the same each time.
 */
public interface BenchDocuments {
    BenchDocument document(long number);

    /** Where they come from, in a few words. */
    String source();

    /** Of an average document as JSON. */
    int bytes();

    /** The share of near-duplicates among those that are made, 0 to below 1. */
    double duplicates();

    /** The share that is made from templates, 0 to 1. */
    default double templates() {
        return 0;
    }

    /** Settings without which the service would not read them as they are meant. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** Those of these numbers, made side by side. */
    default List<BenchDocument> many(long from, long to) {
        return LongStream.range(from, to).parallel().mapToObj(this::document).toList();
    }
}
