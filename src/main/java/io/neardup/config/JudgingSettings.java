package io.neardup.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What records are judged by: all that an index is bound to, and what may change in its life. How the work is spread
 * over partitions is not among them, nor is the seed of the hashes, which each index draws anew.
 */
record JudgingSettings(SortedMap<String, String> entries) {
    private static final int DIGITS = 16;

    private static final List<String> CHANGEABLE = List.of(
            Keys.DOCUMENT_FORMAT,
            Keys.DOCUMENT_ID,
            Keys.DOCUMENT_TEXT,
            Keys.DOCUMENT_BYTES_MAX,
            Keys.SHINGLES_MAX,
            Keys.THRESHOLD,
            Keys.MEASURE,
            Keys.VERIFY,
            Keys.RETENTION,
            Keys.RETENTION_REFRESH,
            Keys.SEED_TOPICS,
            Keys.SEED_JUDGE,
            Keys.SEED_RETENTION,
            Keys.SUCCESSOR_OF,
            Keys.BUCKET_MAX,
            Keys.CANDIDATES_NAMED_MAX,
            Keys.CANDIDATES_ASKED_MAX,
            Keys.CANDIDATES_CROWD_MIN,
            Keys.CANDIDATES_VERIFIED_MAX);

    /** @param values all values of the settings, by key */
    static JudgingSettings of(NeardupConfig config, Map<String, Object> values) {
        IndexSettings bound = IndexSettings.of(config, 0, Map.of());
        SortedMap<String, String> entries = new TreeMap<>(bound.entries());
        entries.remove(IndexSettings.INPUT_PARTITIONS);
        entries.remove(Keys.INDEX_PARTITIONS);
        for (String key : CHANGEABLE) {
            Object value = values.get(key);
            if (value != null) {
                entries.put(key, Expected.written(value));
            }
        }
        return new JudgingSettings(entries);
    }

    String fingerprint() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(entries.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
