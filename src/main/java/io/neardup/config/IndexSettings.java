package io.neardup.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that shapes an index. Entries made under other settings cannot be found again, so an index is bound to
 * these for its life; only the seed of its hashes is kept beside them.
 *
 * @param canonicalTextVersion version of the rules for canonical texts
 * @param shingle {@code char:k} or {@code word:k}
 * @param shinglerVersion version of that shingler's hashes
 * @param signature name of the signature scheme
 * @param signatureVersion version of that scheme
 * @param bands bands of the index
 * @param rows rows of a band
 * @param bandPartitions partitions that the bands are spread over
 * @param inputPartitions partitions of the input topics, each the home of its documents
 */
public record IndexSettings(
        int canonicalTextVersion,
        String shingle,
        int shinglerVersion,
        String signature,
        int signatureVersion,
        int bands,
        int rows,
        int bandPartitions,
        int inputPartitions) {
    private static final String FORMAT = "format";
    private static final String FORMAT_VERSION = "1";
    private static final String CANONICAL_TEXT_VERSION = "canonical-text.version";
    private static final String SHINGLER_VERSION = "shingler.version";
    private static final String SIGNATURE = "signature";
    private static final String SIGNATURE_VERSION = "signature.version";
    private static final String INPUT_PARTITIONS = "input.partitions";

    /** In a fixed order, the version of this form first; keys that are settings too have their names. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put(FORMAT, FORMAT_VERSION);
        map.put(CANONICAL_TEXT_VERSION, Integer.toString(canonicalTextVersion));
        map.put(Keys.SHINGLE, shingle);
        map.put(SHINGLER_VERSION, Integer.toString(shinglerVersion));
        map.put(SIGNATURE, signature);
        map.put(SIGNATURE_VERSION, Integer.toString(signatureVersion));
        map.put(Keys.BANDS, Integer.toString(bands));
        map.put(Keys.ROWS, Integer.toString(rows));
        map.put(Keys.BAND_PARTITIONS, Integer.toString(bandPartitions));
        map.put(INPUT_PARTITIONS, Integer.toString(inputPartitions));
        return map;
    }

    /**
     * The settings of {@link #toMap}.
     *
     * @throws IllegalArgumentException if the form is another version's, or an entry is missing or no number
     */
    public static IndexSettings fromMap(Map<String, String> map) {
        String format = text(map, FORMAT);
        if (!format.equals(FORMAT_VERSION)) {
            throw new IllegalArgumentException("index settings: expected " + FORMAT + " " + FORMAT_VERSION + ", found "
                    + format + ": written by another version of neardup");
        }
        return new IndexSettings(
                number(map, CANONICAL_TEXT_VERSION),
                text(map, Keys.SHINGLE),
                number(map, SHINGLER_VERSION),
                text(map, SIGNATURE),
                number(map, SIGNATURE_VERSION),
                number(map, Keys.BANDS),
                number(map, Keys.ROWS),
                number(map, Keys.BAND_PARTITIONS),
                number(map, INPUT_PARTITIONS));
    }

    /**
     * How these settings differ from those an index was made with, one line each; empty if they fit it.
     *
     * @param stored the settings of the index
     */
    public List<String> differences(IndexSettings stored) {
        Map<String, String> before = stored.toMap();
        List<String> differences = new ArrayList<>();
        toMap().forEach((key, now) -> {
            if (!now.equals(before.get(key))) {
                differences.add(key + ": the index was made with " + before.get(key) + ", now " + now);
            }
        });
        return differences;
    }

    private static String text(Map<String, String> map, String key) {
        String value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException("index settings: expected an entry " + key + ", found " + map.keySet());
        }
        return value;
    }

    private static int number(Map<String, String> map, String key) {
        String value = text(map, key);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "index settings: expected an integer for " + key + ", found " + value, e);
        }
    }
}
