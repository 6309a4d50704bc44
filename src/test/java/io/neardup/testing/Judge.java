package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.NewsFeed.News;
import io.neardup.tools.audit.PromiseReport;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The promises of the service, judged by brute force as the records of the outputs are read, those of a partition in
 * their order, whichever index released them. It keeps none of these records, so that there may be millions.
 */
public final class Judge {
    static final int SHINGLE = 9;
    private static final double THRESHOLD = 0.7;
    private static final double MISSED_MAX = 0.01;
    /** So many may be missed by chance where there are few duplicates. */
    private static final int MISSED_BY_CHANCE = 5;

    private final List<Fed> fed;
    private final Map<String, Long> leftNanos;
    private final Cutover cutover;

    /** By name. Records are known by their places in what was fed. */
    private final Map<String, Integer> places = new HashMap<>();

    /** Of each record the next one of its key; 0 if there is none. */
    private final int[] next;

    private final BitSet left = new BitSet();
    private final BitSet deadLetters = new BitSet();
    private final BitSet unique = new BitSet();
    private final BitSet bounded = new BitSet();
    private final BitSet duplicates = new BitSet();

    /** Of each duplicate the first record of the key that it names, and how similar it is said to be. */
    private final int[] originals;

    private final double[] similarities;
    private final Map<Way, Integer> last = new HashMap<>();
    private final List<String> findings = new ArrayList<>();
    private final Map<String, Integer> judged = new TreeMap<>();

    /**
     * Where a successor took over.
     *
     * @param positions the first record of each input partition that the successor takes
     * @param hasGrown whether it has more input partitions than its predecessor
     */
    public record Cutover(Map<TopicPartition, Long> positions, boolean hasGrown) {
        public static final Cutover NONE = new Cutover(Map.of(), false);
    }

    /** What stands in order. */
    private record Way(String output, int outputPartition, String input, int inputPartition) {}

    /**
     * Judges tombstones, new versions and a cutover too.
     *
     * @param fed those of an input partition in their order
     * @param leftNanos by name, when the record was seen on an output
     */
    public Judge(List<Fed> fed, Map<String, Long> leftNanos, Cutover cutover) {
        this.fed = fed;
        this.leftNanos = leftNanos;
        this.cutover = cutover;
        next = new int[fed.size()];
        originals = new int[fed.size()];
        similarities = new double[fed.size()];
        for (int place = 0; place < fed.size(); place++) {
            Fed one = fed.get(place);
            places.put(one.name(), place);
            if (!one.name().equals(one.key())) {
                int before = Objects.requireNonNull(places.get(one.key()));
                while (next[before] != 0) {
                    before = next[before];
                }
                next[before] = place;
            }
        }
    }

    /** Of news that a {@link Feeder} has fed round robin over the partitions. */
    public static Judge of(List<News> fed, int partitions) {
        List<Fed> records = IntStream.range(0, fed.size())
                .mapToObj(i -> {
                    News news = fed.get(i);
                    return new Fed(news.id(), World.DOCUMENTS, i % partitions, i, news.id(), news.text(), 0);
                })
                .toList();
        return new Judge(records, Map.of(), Cutover.NONE);
    }

    private void find(String what, int place, Object... more) {
        findings.add(
                what + ": " + fed.get(place) + Stream.of(more).map(o -> " " + o).collect(Collectors.joining()));
    }

    private void count(String what) {
        judged.merge(what, 1, Integer::sum);
    }

    // ---- by itself and by those before it

    /** Judges a record of an output by itself and by those before it. */
    public void take(ConsumerRecord<byte[], byte[]> record) {
        Integer place = places.get(Outputs.header(record, Fed.NAME));
        if (place == null) {
            findings.add("never fed: " + record);
            return;
        }
        if (left.get(place)) {
            find("twice", place);
            return;
        }
        left.set(place);
        checkOrder(record, place);
        if (record.topic().equals(Outputs.UNIQUE)) {
            unique.set(place);
            checkUnchanged(record, place);
            bounded.set(place, record.headers().lastHeader(OutputRecords.BOUNDED) != null);
        } else if (record.topic().equals(Outputs.DUPLICATE_OF)) {
            takeDuplicate(record, place);
        } else {
            deadLetters.set(place);
        }
    }

    private void checkOrder(ConsumerRecord<byte[], byte[]> record, int place) {
        Fed one = fed.get(place);
        Integer before = last.put(new Way(record.topic(), record.partition(), one.topic(), one.partition()), place);
        if (before != null && before > place) {
            find("order", before, "has left before", one);
        }
    }

    private void checkUnchanged(ConsumerRecord<byte[], byte[]> record, int place) {
        Fed one = fed.get(place);
        boolean isSame = Arrays.equals(record.key(), one.keyBytes())
                && Arrays.equals(record.value(), one.value())
                && record.timestamp() == one.timestamp()
                && Stream.of(record.headers().toArray())
                        .filter(header -> !header.key().equals(OutputRecords.BOUNDED))
                        .toList()
                        .equals(one.headers());
        if (!isSame) {
            find("changed", place, "into", record);
        }
    }

    private void takeDuplicate(ConsumerRecord<byte[], byte[]> record, int place) {
        String original = Outputs.header(record, OutputRecords.DUPLICATE_OF);
        Integer first = places.get(original);
        if (first == null) {
            find("valid-reference", place, "names", original, "that was never fed");
            return;
        }
        duplicates.set(place);
        originals[place] = first;
        similarities[place] = Double.parseDouble(Outputs.header(record, OutputRecords.SIMILARITY));
    }

    // ---- what only all records together tell

    /**
     * Requires that all promises are held, but for a hundredth of all duplicates, which may have met their originals in
     * no bucket.
     */
    public void conclude() {
        checkAllHaveLeft();
        duplicates.stream().forEach(this::checkReference);
        double missed = missed(alike(singles()));
        assertThat(findings).as("of %d fed", fed.size()).isEmpty();
        assertThat(duplicates.cardinality()).isPositive();
        assertThat(missed / (missed + duplicates.cardinality())).isLessThan(MISSED_MAX);
    }

    /**
     * Requires that all promises are held, and that no two unique documents are similar which could have met: they
     * share a bucket, their sketches pass the cut, and neither met a bound.
     *
     * @param config of the index
     * @return how much was judged of each kind
     */
    public Map<String, Integer> conclude(NeardupConfig config, long hashSeed) {
        checkAllHaveLeft();
        duplicates.stream().forEach(this::checkReference);
        IntStream.range(0, fed.size()).filter(place -> next[place] != 0).forEach(this::checkVersion);
        int[] singles = singles();
        Set<SimilarTexts.Pair> alike = alike(singles);
        checkNoRemainingDuplicates(singles, alike, config, Signing.of(config, hashSeed));
        judged.put("left", left.cardinality());
        judged.put("duplicates", duplicates.cardinality());
        judged.put("alike", alike.size());
        assertThat(findings).as("of %d fed, %s", fed.size(), judged).isEmpty();
        assertThat(missed(alike))
                .isLessThan(MISSED_BY_CHANCE + MISSED_MAX * (missed(alike) + duplicates.cardinality()));
        return judged;
    }

    /** The same of all that was read of the outputs. */
    public void conclude(Outputs outputs) {
        Outputs.ALL.forEach(topic -> outputs.of(topic).forEach(this::take));
        conclude();
    }

    /**
     * Requires that {@code verify} finds the promises held. Where new versions replace earlier ones, they are unique
     * whatever they resemble.
     *
     * @param all whether to look at all documents, however often that reads the topics; else at those of one pass
     */
    public static void requireVerified(NeardupConfig config, boolean all) throws IOException {
        Predicate<PromiseReport> isJudged = report -> report.held() != null
                || (config.versions() == Versions.REPLACE && report.promise().equals("no-remaining-duplicates"));
        try (ClusterView cluster = new ClusterView(config)) {
            assertThat(new PromiseVerifier(cluster, progress -> {}).run(all))
                    .allSatisfy(report -> assertThat(report.breaks().isEmpty() && isJudged.test(report))
                            .as("%s, %s", report, report.breaks())
                            .isTrue());
        }
    }

    private void checkAllHaveLeft() {
        for (int place = left.nextClearBit(0); place < fed.size(); place = left.nextClearBit(place + 1)) {
            find("lost", place);
        }
        deadLetters.stream().filter(place -> !isBlank(place)).forEach(place -> find("dead letter", place));
    }

    /** Blank texts alone of what is fed are to be rejected. */
    private boolean isBlank(int place) {
        String text = fed.get(place).text();
        return text != null && text.isBlank();
    }

    private void checkReference(int duplicate) {
        List<Integer> versions = new ArrayList<>();
        int version = originals[duplicate];
        do {
            if (unique.get(version) && isAsSimilarAsReported(duplicate, version)) {
                versions.add(version);
            }
            version = next[version];
        } while (version != 0);
        if (versions.isEmpty()) {
            find("valid-reference", duplicate, "names", fed.get(originals[duplicate]), "at", similarities[duplicate]);
        } else if (versions.stream().allMatch(one -> isTakenBack(one, duplicate))) {
            find("taken back", duplicate, "names", fed.get(originals[duplicate]));
        }
    }

    private boolean isAsSimilarAsReported(int duplicate, int original) {
        if (fed.get(original).isTombstone()) {
            return false;
        }
        double exact = jaccard(shingles(text(duplicate)), shingles(text(original)));
        return exact >= THRESHOLD && exact == similarities[duplicate];
    }

    private String text(int place) {
        return Objects.requireNonNull(fed.get(place).text());
    }

    static Set<String> shingles(String text) {
        return IntStream.rangeClosed(0, Math.max(0, text.length() - SHINGLE))
                .mapToObj(i -> text.substring(i, Math.min(text.length(), i + SHINGLE)))
                .collect(Collectors.toSet());
    }

    static double jaccard(Set<String> a, Set<String> b) {
        Set<String> common = new HashSet<>(a);
        common.retainAll(b);
        return common.size() / (double) (a.size() + b.size() - common.size());
    }

    // ---- tombstones and new versions

    /** Whether a later record of the key had reached the version for certain when the document was sent. */
    private boolean isTakenBack(int version, int document) {
        for (int later = next[version]; later != 0; later = next[later]) {
            if (hasLeftBefore(later, document) && reaches(later, version)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasLeftBefore(int one, int document) {
        Long nanos = leftNanos.get(fed.get(one).name());
        return nanos != null && nanos < fed.get(document).atNanos();
    }

    /**
     * Keys move where the input grows: the predecessor does not reach another coordinator, the successor what it took
     * over.
     */
    private boolean reaches(int later, int version) {
        boolean isInOrder = hasLeftBefore(version, later);
        return fed.get(later).partition() == fed.get(version).partition()
                ? fed.get(later).topic().equals(fed.get(version).topic()) || isInOrder
                : isInOrder && isOfPredecessor(version) && !isOfPredecessor(later);
    }

    private boolean isOfPredecessor(int place) {
        Fed one = fed.get(place);
        return one.offset() < cutover.positions().getOrDefault(new TopicPartition(one.topic(), one.partition()), 0L);
    }

    /** Where the coordinator keeps the version before, the next one takes its place. */
    private void checkVersion(int before) {
        int now = next[before];
        boolean isSameCoordinator = fed.get(before).partition() == fed.get(now).partition()
                && (!cutover.hasGrown() || isOfPredecessor(before) == isOfPredecessor(now));
        if (!fed.get(now).isTombstone() && unique.get(before) && isSameCoordinator && !mayBeTakenBack(now)) {
            count("versions");
            if (!unique.get(now)) {
                find("version", now, "is no original, as was", fed.get(before));
            }
        }
    }

    /** Whether a tombstone may have been read before it was decided: then there is no version before it any more. */
    private boolean mayBeTakenBack(int version) {
        Long nanos = leftNanos.get(fed.get(version).name());
        for (int later = next[version]; later != 0; later = next[later]) {
            if (fed.get(later).isTombstone() && (nanos == null || fed.get(later).atNanos() < nanos)) {
                return true;
            }
        }
        return false;
    }

    // ---- no remaining duplicates

    /** Unique documents that no other record of their key takes back. */
    private int[] singles() {
        return unique.stream()
                .filter(place -> next[place] == 0
                        && fed.get(place).name().equals(fed.get(place).key()))
                .toArray();
    }

    /** The pairs among them that are at or above the threshold, as their places. */
    private Set<SimilarTexts.Pair> alike(int[] singles) {
        List<String> texts = IntStream.of(singles).mapToObj(this::text).toList();
        return new SimilarTexts(texts, SHINGLE)
                .pairs(THRESHOLD).stream()
                        .map(pair -> new SimilarTexts.Pair(singles[pair.first()], singles[pair.later()]))
                        .collect(Collectors.toSet());
    }

    private static double missed(Set<SimilarTexts.Pair> alike) {
        return alike.stream().map(SimilarTexts.Pair::later).distinct().count();
    }

    private void checkNoRemainingDuplicates(
            int[] singles, Set<SimilarTexts.Pair> alike, NeardupConfig config, Signing signing) {
        judged.put("single", singles.length);
        DocumentReader reader = config.documentReaders().get();
        DocumentSigner signer = signing.signer();
        int differencesMax = signing.differencesMax(config.threshold());
        for (SimilarTexts.Pair pair : alike) {
            SignedDocument first = signed(pair.first(), reader, signer);
            SignedDocument later = signed(pair.later(), reader, signer);
            if (first.sketch().differences(later.sketch()) <= differencesMax
                    && shareABucket(first.keys(), later.keys())
                    && !bounded.get(pair.first())
                    && !bounded.get(pair.later())) {
                find("no-remaining-duplicates", pair.first(), "and", fed.get(pair.later()));
            }
        }
    }

    private static boolean shareABucket(BandKeys a, BandKeys b) {
        return IntStream.range(0, a.bands()).anyMatch(band -> a.key(band) == b.key(band));
    }

    private SignedDocument signed(int place, DocumentReader reader, DocumentSigner signer) {
        Fed one = fed.get(place);
        InputRecord record = new InputRecord(
                one.topic(), one.partition(), one.offset(), one.timestamp(), one.keyBytes(), one.value(), List.of());
        try {
            return signer.sign((Document) reader.read(record));
        } catch (UnsignableException e) {
            throw new IllegalStateException(one.toString(), e);
        }
    }
}
