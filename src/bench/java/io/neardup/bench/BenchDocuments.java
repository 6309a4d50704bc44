package io.neardup.bench;

import io.neardup.bench.BenchReports.Corpus;
import java.util.List;
import java.util.Locale;
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

    /**
     * Invented news.
     *
     * @param bytes of an average document as JSON
     * @param duplicates the share of near-duplicates, from 0 to below 1
     * @param templates the share of the others that is made from templates, from 0 to 1
     */
    static BenchDocuments news(long seed, int bytes, double duplicates, double templates) {
        return new News(new NewsDocuments(seed, bytes, duplicates, templates), bytes, duplicates, templates);
    }

    /** News, and the shares that they are made by. */
    record News(NewsDocuments documents, int bytes, double duplicates, double templates) implements BenchDocuments {
        @Override
        public GeneratedDocument document(long number) {
            return documents.document(number);
        }

        @Override
        public Corpus corpus(int count) {
            String source = String.format(
                    Locale.ROOT,
                    "generated news, of which %.0f %% are near-duplicates of earlier ones",
                    100 * duplicates);
            if (templates > 0) {
                source += String.format(
                        Locale.ROOT, " and %.0f %% of the others are made from templates", 100 * templates);
            }
            return new Corpus(count, source, bytes, duplicates, templates);
        }
    }
}
