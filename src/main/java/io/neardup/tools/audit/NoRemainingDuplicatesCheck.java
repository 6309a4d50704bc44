package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.tools.audit.PromiseReport.Findings;
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

    private final AuditedTopics topics;
    private final NeardupConfig config;
    private final SimilarityJudge judge;
    private final int differencesMax;
    private final boolean knowsBuckets;
    private final SampleShare share;
    private final Map<Long, List<UniqueDocument>> buckets = new HashMap<>();
    private final Set<Long> takenBack = new HashSet<>();
    /** Tombstones or dead letters of seeds were too many, or deleted before they were read. */
    private boolean lacksRemovals;

    private final Set<String> refused = new HashSet<>();
    private final List<Pair> pairs = new ArrayList<>();
    private boolean hasMorePairs;
    /** The places of documents that break it: another pass may find them in another bucket. */
    private final Set<String> broken = new HashSet<>();

    private final Findings findings = new Findings();
    /** Documents that this pass, or the one with the most, looked at in one of their buckets or more. */
    private long judged;

    private long judgedMost;
    private long lastMillis = Long.MIN_VALUE;

    private long firstMillis = Long.MAX_VALUE;

    /**
     * A document on {@code unique}, or of a seed.
     *
     * @param timestamp that its retention counts from, or an earlier one; {@link #UNKNOWN} where brokers set another
     */
    record UniqueDocument(String place, long keyHash, long timestamp, SignedDocument signed, boolean isOfSeed) {
        static final long UNKNOWN = Long.MIN_VALUE;
    }

    private record Pair(UniqueDocument first, UniqueDocument second, double similarity) {}

    /** @param knowsBuckets whether the seed of the signing is that of the index */
    NoRemainingDuplicatesCheck(AuditedTopics topics, Signing signing, boolean knowsBuckets, SampleShare share) {
        this.topics = topics;
        this.config = topics.config();
        this.judge = signing.judge();
        this.differencesMax = signing.differencesMax(config.threshold());
        this.knowsBuckets = knowsBuckets;
        this.share = share;
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
    void takeBack(long keyHash) {
        lacksRemovals |= takenBack.size() >= TAKEN_BACK_MAX;
        if (!lacksRemovals) {
            takenBack.add(keyHash);
        }
    }

    /** Tombstones or dead letters of seeds may have been deleted before they were read. */
    void seeRemovalsDeleted() {
        lacksRemovals = true;
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
                if (others.size() < config.bucketMax()) {
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
        if ((first.isOfSeed && second.isOfSeed) || isForgotten(first) || isForgotten(second)) {
            return;
        }
        if (!first.signed.sketch().isNone()
                && first.signed.sketch().differences(second.signed.sketch()) > differencesMax) {
            return;
        }
        double similarity = judge.similarity(first.signed.evidence(), second.signed.evidence(), config.threshold())
                .value();
        if (similarity < config.threshold()) {
            return;
        }
        if (pairs.size() < PAIRS_MAX) {
            pairs.add(new Pair(first, second, similarity));
        } else {
            hasMorePairs = true;
        }
    }

    private void shrink() {
        while (share.isOverfull()) {
            buckets.keySet().removeIf(bucket -> !share.takes(bucket));
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

    /** All was read. Nothing is kept any more. */
    void endPass() {
        pairs.stream()
                .filter(pair -> wasJudged(pair.first) && isRemembered(pair.first) && isRemembered(pair.second))
                .filter(pair -> broken.add(pair.second.place))
                .forEach(pair -> findings.add(
                        pair.first.isOfSeed ? "like one of a seed" : "both unique",
                        () -> pair.first.place + " and " + pair.second.place
                                + " share a bucket: expected a similarity below " + config.threshold() + ", found "
                                + pair.similarity));
        pairs.clear();
        buckets.clear();
        judgedMost = Math.max(judgedMost, judged);
        judged = 0;
    }

    /** For certain. Seeds are read first, so only the first of a pair may be of one. */
    private boolean wasJudged(UniqueDocument document) {
        return !document.isOfSeed
                || (!lacksRemovals && refused.size() < REFUSED_MAX && !refused.contains(document.place));
    }

    /**
     * No tombstone took it back, and no coordinator's clock, none of which is beyond the last timestamp, let it expire.
     * One that is stamped ahead counts as of the present of its moment, which was behind the first.
     */
    private boolean isRemembered(UniqueDocument document) {
        boolean isTimeKnown = lastMillis != Long.MIN_VALUE || config.retention().millis() == Long.MAX_VALUE;
        boolean isOfItsTime = timestamp(document) <= lastMillis || firstMillis >= forgottenBefore();
        return isTimeKnown && !isForgotten(document) && isOfItsTime;
    }

    /** For good, or it may be; as far as is known, while outputs may be read before any time is. */
    private boolean isForgotten(UniqueDocument document) {
        return (document.keyHash != 0 && (lacksRemovals || takenBack.contains(document.keyHash)))
                || timestamp(document) < forgottenBefore();
    }

    /** All that came in is of the first time or a later one. */
    private long timestamp(UniqueDocument document) {
        return document.timestamp == UniqueDocument.UNKNOWN ? firstMillis : document.timestamp;
    }

    private long forgottenBefore() {
        long retentionMillis = config.retention().millis();
        boolean isNothing = retentionMillis == Long.MAX_VALUE || lastMillis == Long.MIN_VALUE;
        return isNothing ? Long.MIN_VALUE : lastMillis - retentionMillis;
    }

    PromiseReport report() {
        String promise = "no-remaining-duplicates";
        String of = "unique documents";
        if (!isLookedAt()) {
            String why = knowsBuckets
                    ? "not looked at: new versions are unique whatever they resemble (neardup.versions=replace)"
                    : "not looked at: there is no index of application.id " + config.applicationId()
                            + ", which has the seed of the buckets";
            return new PromiseReport(promise, of, null, 0, List.of(), List.of(why));
        }
        share.note(findings, "buckets");
        findings.note(
                topics.seedsJudged(),
                "not compared with seeds: which of their documents were kept is not known (neardup.seed.judge, or they"
                        + " are of a predecessor)");
        findings.note(!topics.seedsJudged() && !topics.seedsRead(), "not compared with seeds, as one is gone");
        boolean isFull = hasMorePairs || lacksRemovals || refused.size() >= REFUSED_MAX;
        findings.note(
                isFull,
                "not all looked at: more pairs, tombstones or dead letters of seeds than can be kept, or tombstones"
                        + " were deleted before they were read");
        boolean timesUnknown = !topics.timestampsKept() && firstMillis < forgottenBefore();
        findings.note(
                timesUnknown,
                "not compared where one may be forgotten: the brokers set the timestamps of an output, so those of"
                        + " documents are not known");
        return findings.report(promise, judgedMost, of).knownIf(!isFull && !timesUnknown);
    }
}
