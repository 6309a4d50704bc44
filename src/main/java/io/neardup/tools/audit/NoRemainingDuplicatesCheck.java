package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.tools.audit.PromiseReport.Findings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Promise 3: no two documents on {@code unique} that both are remembered share a bucket and are at or above the
 * threshold, and none of these and one of a seed. Looks at a share of the buckets, chosen by their keys. It skips what
 * the promise does not cover: documents with the header of a bound, what a tombstone took back, what was forgotten by
 * time, and pairs beyond the cut.
 */
final class NoRemainingDuplicatesCheck {
    /** Pairs are kept until all was read: a tombstone may follow, and the time goes on. */
    private static final int PAIRS_MAX = 10_000;

    private static final int TAKEN_BACK_MAX = 1_000_000;

    private final AuditedTopics topics;
    private final NeardupConfig config;
    private final SimilarityJudge judge;
    private final int differencesMax;
    private final boolean knowsBuckets;
    private final Sample<UniqueDocument> buckets;
    private final ContentHash hash = new ContentHash();
    private final Set<Long> takenBack = new HashSet<>();
    private final List<Pair> pairs = new ArrayList<>();
    /** The places of documents that break it: another pass may find them in another bucket. */
    private final Set<String> broken = new HashSet<>();

    private final Findings findings = new Findings();
    /** Documents that the pass with the most looked at, in one of their buckets or more. */
    private long judged;
    /** The span of the timestamps that came in. */
    private long lastMillis = Long.MIN_VALUE;

    private long firstMillis = Long.MAX_VALUE;

    /**
     * A document on {@code unique}, or of a seed.
     *
     * @param timestamp that its retention counts from, or an earlier one
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity alone
    record UniqueDocument(
            String place, byte @Nullable [] key, long timestamp, SignedDocument signed, boolean isOfSeed) {
        long bytes() {
            int words = signed.keys().bands() + signed.sketch().words();
            return signed.evidence().bytes().length + Long.BYTES * (long) words;
        }
    }

    private record Pair(UniqueDocument first, UniqueDocument second, double similarity) {}

    /** @param knowsBuckets whether the seed of the signing is that of the index */
    NoRemainingDuplicatesCheck(AuditedTopics topics, Signing signing, boolean knowsBuckets, long bytesMax) {
        this.topics = topics;
        this.config = topics.config();
        this.judge = signing.judge();
        this.differencesMax = signing.differencesMax(config.threshold());
        this.knowsBuckets = knowsBuckets;
        this.buckets = new Sample<>(bytesMax, this::bytesInBucket);
    }

    Sample<?> buckets() {
        return buckets;
    }

    /** The part of a document, by the number of its buckets that are kept. */
    private long bytesInBucket(UniqueDocument document) {
        return document.bytes() / Math.max(1, document.signed.keys().bands() / buckets.classes());
    }

    /** Not where a new version is unique whatever it resembles, nor of verdicts, which have no documents. */
    boolean isLookedAt() {
        return knowsBuckets && !topics.ofVerdicts() && config.versions() != Versions.REPLACE;
    }

    /** A record came in: what is so old that it may be forgotten by the last timestamp does not count. */
    void seeTime(long timestampMillis, long nowMillis) {
        lastMillis = Math.max(lastMillis, Math.min(timestampMillis, nowMillis));
        firstMillis = Math.min(firstMillis, timestampMillis);
    }

    /** A tombstone: documents of its key are remembered no more. */
    void takeBack(byte @Nullable [] key) {
        if (takenBack.size() < TAKEN_BACK_MAX) {
            takenBack.add(hash.of(key));
        }
    }

    /** A document on {@code unique} without the header of a bound, or of a seed; those of seeds before all others. */
    void take(UniqueDocument original) {
        BandKeys keys = original.signed.keys();
        Set<UniqueDocument> compared = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int band = 0; band < keys.bands(); band++) {
            long bucket = bucket(band, keys.key(band));
            if (buckets.takes(bucket)) {
                List<UniqueDocument> others = buckets.of(bucket);
                others.stream().filter(compared::add).forEach(other -> compare(other, original));
                if (others.size() < config.bucketMax()) {
                    buckets.add(bucket, original);
                }
            }
        }
    }

    /** Equal keys of two bands are two buckets. */
    private static long bucket(int band, long key) {
        long mixed = (key + band * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return mixed ^ mixed >>> 32;
    }

    private void compare(UniqueDocument first, UniqueDocument second) {
        boolean isBeyondCut = !first.signed.sketch().isNone()
                && first.signed.sketch().differences(second.signed.sketch()) > differencesMax;
        if (isBeyondCut || (first.isOfSeed && second.isOfSeed)) {
            return;
        }
        double similarity = judge.similarity(first.signed.evidence(), second.signed.evidence(), config.threshold())
                .value();
        if (similarity >= config.threshold() && pairs.size() < PAIRS_MAX) {
            pairs.add(new Pair(first, second, similarity));
        }
    }

    /** All was read. Nothing is kept any more. */
    void endPass() {
        // Seeds are read first, so only the first of a pair may be of one.
        pairs.stream()
                .filter(pair -> isRemembered(pair.first) && isRemembered(pair.second))
                .filter(pair -> broken.add(pair.second.place))
                .forEach(pair -> findings.add(
                        pair.first.isOfSeed ? "like one of a seed" : "both unique",
                        () -> pair.first.place + " and " + pair.second.place
                                + " share a bucket: expected a similarity below " + config.threshold() + ", found "
                                + pair.similarity));
        pairs.clear();
        Set<UniqueDocument> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        buckets.all().values().stream()
                .flatMap(Collection::stream)
                .filter(document -> !document.isOfSeed)
                .forEach(kept::add);
        judged = Math.max(judged, kept.size());
        buckets.endPass();
    }

    /**
     * For certain: no tombstone took it back, and no coordinator's clock, none of which is beyond the last timestamp,
     * let it expire. One that is stamped ahead counts as of the clock of its moment, which was behind the first.
     */
    private boolean isRemembered(UniqueDocument document) {
        boolean tombstonesKnown = takenBack.size() < TAKEN_BACK_MAX;
        if (document.key != null && (!tombstonesKnown || takenBack.contains(hash.of(document.key)))) {
            return false;
        }
        long retentionMillis = config.retention().millis();
        long sinceMillis = document.timestamp <= lastMillis ? document.timestamp : firstMillis;
        return retentionMillis == Long.MAX_VALUE || sinceMillis >= lastMillis - retentionMillis;
    }

    PromiseReport report() {
        String promise = "no-remaining-duplicates";
        String of = "unique documents";
        if (!isLookedAt()) {
            String why = knowsBuckets
                    ? "new versions are unique whatever they resemble (neardup.versions=replace)"
                    : "there is no index of application.id " + config.applicationId()
                            + ", which has the seed of the buckets";
            return new PromiseReport(promise, of, null, 0, List.of(), List.of("not looked at: " + why));
        }
        findings.note(buckets.isPart(), buckets.note("buckets"));
        findings.note(
                topics.seedsJudged() || !topics.lostSeeds().isEmpty(),
                "not compared with seeds that are gone, or of which nobody knows what was kept (neardup.seed.judge, or"
                        + " they are of a predecessor)");
        return findings.report(promise, judged, of);
    }
}
