package io.neardup.tools.audit;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Promise 3: no two documents on {@code unique} that both are remembered share a bucket and are at or above the
 * threshold, and none of these and one of a seed. Looks at a share of the buckets, chosen by their keys. It skips what
 * the promise does not cover: documents with the header of a bound, what a tombstone took back, what was forgotten by
 * time, and pairs beyond the cut.
 */
final class NoRemainingDuplicatesCheck {
    private static final int ENTRY_BYTES = 150;
    private static final int BUCKET_BYTES = 150;

    /** Pairs are kept until all was read: a tombstone may follow, and the time goes on. */
    private static final int PAIRS_MAX = 10_000;

    private static final int TAKEN_BACK_MAX = 1_000_000;
    private static final int REFUSED_MAX = 1_000_000;

    private final SimilarityJudge judge;
    private final Rules rules;
    private final SampleShare share;
    private final EventTimes times;
    private final Map<Long, List<UniqueDocument>> buckets = new HashMap<>();
    private final Set<Long> takenBack = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final Breaks breaks = new Breaks();
    private long judged;

    /**
     * What counts as alike, and for how long.
     *
     * @param differencesMax of two sketches that are compared
     * @param bucketMax documents that a bucket takes
     * @param retentionMillis how long a document is remembered; {@link Long#MAX_VALUE} for ever
     */
    record Rules(double threshold, int differencesMax, int bucketMax, long retentionMillis) {}

    /**
     * A document on {@code unique}, or of a seed.
     *
     * @param timestamp that its retention counts from, or an earlier one
     */
    record UniqueDocument(String place, long keyHash, long timestamp, SignedDocument signed, boolean isOfSeed) {}

    /** The span of the timestamps that came in: what is so old that it may be forgotten by the end of it. */
    static final class EventTimes {
        private long lastMillis = Long.MIN_VALUE;
        private long firstMillis = Long.MAX_VALUE;

        void see(long timestampMillis, long nowMillis) {
            lastMillis = Math.max(lastMillis, Math.min(timestampMillis, nowMillis));
            firstMillis = Math.min(firstMillis, timestampMillis);
        }

        /**
         * Whether a document of this timestamp is remembered up to the end, for certain: the clock of no coordinator is
         * beyond the last timestamp. One that is stamped ahead counts as of the clock of its moment, which was behind
         * the first.
         *
         * @param retentionMillis {@link Long#MAX_VALUE} for ever
         */
        boolean isRemembered(long timestampMillis, long retentionMillis) {
            long sinceMillis = timestampMillis <= lastMillis ? timestampMillis : firstMillis;
            return retentionMillis == Long.MAX_VALUE || sinceMillis >= lastMillis - retentionMillis;
        }
    }

    private record Pair(UniqueDocument first, UniqueDocument second, double similarity) {}

    NoRemainingDuplicatesCheck(SimilarityJudge judge, Rules rules, SampleShare share, EventTimes times) {
        this.times = times;
        this.judge = judge;
        this.rules = rules;
        this.share = share;
    }

    /** A tombstone: documents of its key are remembered no more. */
    void takeBack(long keyHash) {
        if (takenBack.size() < TAKEN_BACK_MAX) {
            takenBack.add(keyHash);
        }
    }

    /** A document of a seed was none for the service, by its place. */
    void skip(String place) {
        if (refused.size() < REFUSED_MAX) {
            refused.add(place);
        }
    }

    /** A document on {@code unique} without the header of a bound, or of a seed; those of seeds before all others. */
    void take(UniqueDocument original) {
        BandKeys keys = original.signed.keys();
        Set<UniqueDocument> compared = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean kept = false;
        for (int band = 0; band < keys.bands(); band++) {
            long bucket = bucket(band, keys.key(band));
            if (share.takes(bucket)) {
                List<UniqueDocument> others = buckets.computeIfAbsent(bucket, b -> new ArrayList<>(1));
                others.stream().filter(compared::add).forEach(other -> compare(other, original));
                if (others.size() < rules.bucketMax) {
                    others.add(original);
                    share.keep(BUCKET_BYTES);
                    kept = true;
                }
            }
        }
        if (kept) {
            judged += original.isOfSeed ? 0 : 1;
            share.keep(bytes(original));
            shrink();
        }
    }

    /** Equal keys of two bands are two buckets. */
    private static long bucket(int band, long key) {
        long mixed = (key + band * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return mixed ^ mixed >>> 32;
    }

    private void compare(UniqueDocument first, UniqueDocument second) {
        if (first.isOfSeed && second.isOfSeed) {
            return;
        }
        if (!first.signed.sketch().isNone()
                && first.signed.sketch().differences(second.signed.sketch()) > rules.differencesMax) {
            return;
        }
        double similarity = judge.similarity(first.signed.evidence(), second.signed.evidence(), rules.threshold)
                .value();
        if (similarity >= rules.threshold && pairs.size() < PAIRS_MAX) {
            pairs.add(new Pair(first, second, similarity));
        }
    }

    private void shrink() {
        while (share.isOverfull()) {
            buckets.entrySet().removeIf(entry -> !share.takes(entry.getKey()));
            Set<UniqueDocument> kept = Collections.newSetFromMap(new IdentityHashMap<>());
            buckets.values().forEach(kept::addAll);
            long entries = buckets.values().stream().mapToLong(List::size).sum();
            judged = kept.stream().filter(original -> !original.isOfSeed).count();
            share.set(entries * BUCKET_BYTES
                    + kept.stream().mapToLong(NoRemainingDuplicatesCheck::bytes).sum());
        }
    }

    private static long bytes(UniqueDocument original) {
        return ENTRY_BYTES
                + original.signed.evidence().bytes().length
                + Long.BYTES
                        * (long) (original.signed.keys().bands()
                                + original.signed.sketch().words());
    }

    /**
     * All was read. Nothing is kept any more.
     *
     * @param broken the places of documents that another pass has reported; these are added
     */
    void end(Set<String> broken) {
        pairs.stream()
                .filter(pair -> wasJudged(pair.first) && isRemembered(pair.first) && isRemembered(pair.second))
                .filter(pair -> broken.add(pair.second.place))
                .forEach(pair -> breaks.add(
                        pair.first.isOfSeed ? "like one of a seed" : "both unique",
                        () -> pair.first.place + " and " + pair.second.place
                                + " share a bucket: expected a similarity below " + rules.threshold + ", found "
                                + pair.similarity));
        pairs.clear();
        buckets.clear();
    }

    /** For certain. Seeds are read first, so only the first of a pair may be of one. */
    private boolean wasJudged(UniqueDocument document) {
        return !document.isOfSeed || (refused.size() < REFUSED_MAX && !refused.contains(document.place));
    }

    /** For certain. */
    private boolean isRemembered(UniqueDocument document) {
        boolean tombstonesKnown = takenBack.size() < TAKEN_BACK_MAX;
        boolean kept = document.keyHash == 0 || (tombstonesKnown && !takenBack.contains(document.keyHash));
        return kept && times.isRemembered(document.timestamp, rules.retentionMillis);
    }

    Breaks breaks() {
        return breaks;
    }

    /** Documents that were looked at in one of their buckets or more. */
    long judged() {
        return judged;
    }

    int classes() {
        return share.classes();
    }
}
