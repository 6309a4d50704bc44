package io.neardup.bench;

import io.neardup.bench.BenchReports.Corpus;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The documents of a benchmark, numbered from 0, without an end. Any of them can be made at any time, by several
 * threads at once, and is the same each time.
 */
public interface BenchDocuments {
    GeneratedDocument document(long number);

    /** Of an average document as JSON. */
    int bytes();

    /** What the first of them are, for the report. */
    Corpus corpus(int documents);

    /** Settings without which the service would not read them as they are meant. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** Those of these numbers, made side by side. */
    default List<GeneratedDocument> many(long from, long to) {
        return LongStream.range(from, to).parallel().mapToObj(this::document).toList();
    }
}
