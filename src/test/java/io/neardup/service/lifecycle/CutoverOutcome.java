package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.DocumentReaders;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.service.lifecycle.CutoverFeed.Fed;
import io.neardup.service.lifecycle.CutoverOutputs.Left;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.SimilarTexts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Judges a run by what was fed and what has left, whichever of the two services released it. Both find documents by the
 * same buckets and judge by the same threshold.
 */
final class CutoverOutcome {
    private static final int SHINGLE = 9;

    private final CutoverPlan plan;
    private final Map<TopicPartition, Long> positions;
    private final Map<Integer, Fed> fed;
    private final Map<Integer, Left> left = new HashMap<>();
    private final Map<String, List<Fed>> byKey;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, Integer> judged = new TreeMap<>();

    /** @param positions of the input at which the old service stopped */
    CutoverOutcome(CutoverPlan plan, Map<TopicPartition, Long> positions, List<Fed> fed, List<Left> released) {
        this.plan = plan;
        this.positions = positions;
        this.fed = fed.stream().collect(Collectors.toMap(Fed::number, Function.identity()));
        this.byKey = fed.stream().collect(Collectors.groupingBy(Fed::key));
        released.forEach(one -> {
            count("left");
            Left before = left.putIfAbsent(one.number(), one);
            if (before != null) {
                findings.add("twice: " + fedAs(one) + ": " + before + " and " + one);
            }
        });
    }

    private void count(String what) {
        judged.merge(what, 1, Integer::sum);
    }

    private Fed fedAs(Left one) {
        return Objects.requireNonNull(fed.get(one.number()), one.toString());
    }

    /** Looks at everything; returns how much was judged of each. */
    Map<String, Integer> check(NeardupConfig config, long hashSeed) {
        checkConservation();
        checkOrder();
        left.values().forEach(this::checkWhatItRepeats);
        byKey.values().forEach(this::checkVersions);
        checkNoRemainingDuplicates(config, Signing.of(config, hashSeed));
        assertThat(findings).as(plan + " " + judged).isEmpty();
        return judged;
    }

    private void checkConservation() {
        fed.values().stream()
                .filter(one -> !left.containsKey(one.number()))
                .forEach(one -> findings.add("lost: " + one));
        left.values().stream()
                .filter(one -> one.to().topic().equals(Outputs.DEAD_LETTER))
                .forEach(one -> findings.add("dead letter: " + fedAs(one)));
        fed.values().forEach(one -> count(isOfOld(one) ? "of the old" : "of the new"));
    }

    /** On each output partition, what is of one partition of the input stands in its order. */
    private void checkOrder() {
        Map<List<Object>, Fed> last = new HashMap<>();
        left.values().stream().sorted(Comparator.comparing(Left::offset)).forEach(one -> {
            Fed now = fedAs(one);
            Fed before = last.put(List.of(one.to(), now.topic(), now.partition()), now);
            if (before != null && before.offset() > now.offset()) {
                findings.add("order: " + before + " has left before " + now);
            }
        });
    }

    private boolean isOfOld(Fed one) {
        return one.partition() < plan.coordinators()
                && one.offset()
                        < Objects.requireNonNull(positions.get(new TopicPartition(one.topic(), one.partition())));
    }

    // ---- valid reference, and what was taken back

    private void checkWhatItRepeats(Left one) {
        if (one.original().isEmpty()) {
            return;
        }
        Fed duplicate = fedAs(one);
        List<Fed> versions = byKey.getOrDefault(one.original().get(), List.of());
        List<Fed> named = versions.stream()
                .filter(version -> !version.isTombstone() && isUnique(version) && isAlike(duplicate, version))
                .toList();
        count("duplicates");
        if (named.isEmpty()) {
            findings.add(
                    "valid-reference: " + duplicate + " names " + versions + ": none of these is unique, and alike");
        } else if (named.stream().allMatch(version -> isTakenBack(version, duplicate))) {
            findings.add("taken back: " + duplicate + " names " + versions);
        }
    }

    private boolean isUnique(Fed one) {
        Left as = left.get(one.number());
        return as != null && as.isUnique();
    }

    private static boolean isAlike(Fed a, Fed b) {
        return !new SimilarTexts(List.of(text(a), text(b)), SHINGLE).pairs(0.7).isEmpty();
    }

    private static String text(Fed one) {
        return Objects.requireNonNull(one.text());
    }

    /** Whether a later record of the key had reached the version for certain when the document was sent. */
    private boolean isTakenBack(Fed version, Fed document) {
        return after(version).stream().anyMatch(later -> hasLeftBefore(later, document) && reaches(later, version));
    }

    private List<Fed> after(Fed version) {
        return byKey.getOrDefault(version.key(), List.of()).stream()
                .filter(later -> later.number() > version.number())
                .toList();
    }

    private boolean hasLeftBefore(Fed one, Fed document) {
        Left as = left.get(one.number());
        return as != null && as.atNanos() < document.atNanos();
    }

    /**
     * Keys move where the input grows: the old service does not reach another coordinator, the new one what it took
     * over.
     */
    private boolean reaches(Fed later, Fed version) {
        boolean isInOrder = hasLeftBefore(version, later);
        return later.partition() == version.partition()
                ? later.topic().equals(version.topic()) || isInOrder
                : isInOrder && isOfOld(version) && !isOfOld(later);
    }

    /** Where the coordinator keeps the version before, the next one takes its place. */
    private void checkVersions(List<Fed> versions) {
        for (int i = 1; i < versions.size(); i++) {
            Fed before = versions.get(i - 1);
            Fed now = versions.get(i);
            boolean isSameCoordinator = before.partition() == now.partition()
                    && (plan.coordinators() == plan.partitions() || isOfOld(before) == isOfOld(now));
            if (!now.isTombstone() && isUnique(before) && isSameCoordinator && !mayBeTakenBack(now)) {
                count("versions");
                if (!isUnique(now)) {
                    findings.add("version: " + now + " is no original, as " + before + " was");
                }
            }
        }
    }

    /** Whether a tombstone may have been read before it was decided: then there is no version before it any more. */
    private boolean mayBeTakenBack(Fed version) {
        Left as = left.get(version.number());
        return after(version).stream()
                .anyMatch(later -> later.isTombstone() && (as == null || later.atNanos() < as.atNanos()));
    }

    // ---- no remaining duplicates

    /** Of documents that were never taken back. */
    private void checkNoRemainingDuplicates(NeardupConfig config, Signing signing) {
        DocumentReader reader = DocumentReaders.of(config).get();
        Signing.DocumentSigner signer = signing.signer();
        int differencesMax = signing.cut(config.threshold()).differencesMax();
        List<Fed> unique = left.values().stream()
                .filter(one -> one.isUnique() && !one.isBounded())
                .map(this::fedAs)
                .filter(one -> Objects.requireNonNull(byKey.get(one.key())).size() == 1)
                .sorted(Comparator.comparing(Fed::number))
                .toList();
        unique.forEach(one -> count("independent"));
        new SimilarTexts(unique.stream().map(CutoverOutcome::text).toList(), SHINGLE)
                .pairs(config.threshold())
                .forEach(pair -> {
                    count("alike");
                    SignedDocument first = signed(unique.get(pair.first()), reader, signer);
                    SignedDocument later = signed(unique.get(pair.later()), reader, signer);
                    boolean isCut = first.sketch().differences(later.sketch()) > differencesMax;
                    if (!isCut && shareABucket(first.keys(), later.keys())) {
                        findings.add("no-remaining-duplicates: " + unique.get(pair.first()) + " and "
                                + unique.get(pair.later()));
                    }
                });
    }

    private static boolean shareABucket(BandKeys a, BandKeys b) {
        return IntStream.range(0, a.bands()).anyMatch(band -> a.key(band) == b.key(band));
    }

    private static SignedDocument signed(Fed one, DocumentReader reader, Signing.DocumentSigner signer) {
        byte @Nullable [] value = new News(one.key(), text(one)).json();
        InputRecord record = new InputRecord(
                one.topic(), one.partition(), one.offset(), 0, one.key().getBytes(UTF_8), value, List.of());
        try {
            return signer.sign((Document) reader.read(record));
        } catch (UnsignableException e) {
            throw new IllegalStateException(one.toString(), e);
        }
    }
}
