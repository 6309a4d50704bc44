package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.lsh.BandingTargets;
import io.neardup.engine.lsh.SCurve;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.ExactOverlap;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.Signature;
import io.neardup.engine.text.Shingler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What the sources say of bands, buckets and candidates. */
class BandingStatementsTest {
    private static final int BUCKET_MAX = 1_000;

    @StatementTest("A31")
    void shouldLeaveHashesUnusedThatFillNoBand(Statement statement) {
        int hashes = statement.whole("hashes");
        int[] values = IntStream.range(0, hashes).toArray();
        Banding uneven = new Banding(statement.whole("uneven"), hashes / statement.whole("uneven"));

        int rows = new Banding(statement.whole("bands"), hashes / statement.whole("bands")).rows();

        statement.confirm("rows", rows);
        statement.confirm("unused", hashes - uneven.hashes());
        assertThat(uneven.keys(values).bands()).isEqualTo(uneven.bands());
    }

    @StatementTest("A32")
    void shouldCountAPairOfManyBucketsOnce(Statement statement) {
        Banding banding = statement.banding("banding");
        int[] values = IntStream.range(0, banding.hashes()).toArray();
        BandTable table = new BandTable(banding.bands(), BUCKET_MAX);

        List<String> pairs = Pairs.of(table, List.of(banding.keys(values), banding.keys(values)));

        statement.confirm("pairs", pairs.size());
    }

    @StatementTest("B08")
    void shouldMeetInEveryBandThatAgrees(Statement statement) {
        Banding banding = statement.banding("banding");
        int[] values = new SplittableRandom(8).ints(banding.hashes()).toArray();
        int[] others = values.clone();
        others[statement.whole("differ")]++;
        SplittableRandom random = new SplittableRandom(9);
        List<BandKeys> keys = List.of(
                banding.keys(random.ints(banding.hashes()).toArray()),
                banding.keys(values),
                banding.keys(others),
                banding.keys(random.ints(banding.hashes()).toArray()));

        statement.confirm("estimate", Signature.of(values).estimate(Signature.of(others)));
        for (int band = 0; band < banding.bands(); band++) {
            boolean met = keys.get(1).key(band) == keys.get(2).key(band);
            assertThat(String.valueOf(met))
                    .isEqualTo(statement.expectedWords("bands").get(band));
        }
        List<String> pairs = Pairs.of(new BandTable(banding.bands(), BUCKET_MAX), keys);
        assertThat(pairs).contains("1-2");
        statement.confirm("otherPairs", pairs.size() - 1);
    }

    @StatementTest("B09")
    void shouldNotMeetInDifferentBands(Statement statement) {
        List<String> names = List.of("d1", "di", "dj", "dn");
        List<BandKeys> keys = names.stream()
                .map(name -> BandKeys.of(statement.words(name).stream()
                        .mapToLong(Long::parseLong)
                        .toArray()))
                .toList();

        List<String> pairs = Pairs.of(new BandTable(3, BUCKET_MAX), keys);

        assertThat(pairs).containsExactly("1-2");
        assertThat(statement.expectedText("candidates")).isEqualTo(names.get(1) + "-" + names.get(2));
    }

    @StatementTest("B13")
    void shouldFindExactlyThePairsThatShareABucket(Statement statement) {
        List<BandKeys> keys = someKeys(statement);
        int documents = keys.size();

        List<String> pairs = Pairs.of(new BandTable(keys.get(0).bands(), BUCKET_MAX), keys);

        List<String> expected = new ArrayList<>();
        for (int later = 0; later < documents; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (shareABucket(keys.get(earlier), keys.get(later))) {
                    expected.add(earlier + "-" + later);
                }
            }
        }
        assertThat(pairs).containsExactlyInAnyOrderElementsOf(expected);
        statement.confirm("pairs", documents * (documents - 1) / 2.0);
        assertThat(pairs).hasSizeBetween(statement.whole("copies"), 2 * statement.whole("copies"));
    }

    /** Documents of 200 random shingles; each of the last ones has 190 of an earlier one. */
    private static List<BandKeys> someKeys(Statement statement) {
        Banding banding = statement.banding("banding");
        int documents = statement.whole("documents");
        int firstCopy = documents - statement.whole("copies");
        SplittableRandom random = new SplittableRandom(13);
        FastSimilaritySketch scheme = new FastSimilaritySketch(banding.hashes());
        List<BandKeys> keys = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            SplittableRandom shingles = new SplittableRandom(i < firstCopy ? i : i - firstCopy);
            keys.add(banding.keys(
                    scheme.sign(DrawnSets.shingles(shingles, 190, random, 10)).values()));
        }
        return keys;
    }

    @StatementTest("C18")
    void shouldNeedABillionEntriesToAddressThirtyBits(Statement statement) {
        statement.confirm("entries", Math.pow(2, statement.whole("bits")));
    }

    @StatementTest("C19")
    void shouldMeetOnlyUnderTheSameSeed(Statement statement) {
        String text = "A new document, which is to be looked up under the functions that the others were signed by.";
        BandKeys stored = keys(statement.banding("banding"), 1, text);

        statement.confirm("sameSeed", bandsShared(stored, keys(statement.banding("banding"), 1, text)));
        statement.confirm("otherSeed", bandsShared(stored, keys(statement.banding("banding"), 2, text)));
    }

    private static BandKeys keys(Banding banding, long seed, String text) {
        Signature signature = new FastSimilaritySketch(banding.hashes()).sign(Shingled.all("char:9", seed, text));
        return banding.keys(signature.values());
    }

    @StatementTest("D10")
    void shouldFitWithinTheValues(Statement statement) {
        int hashes = statement.whole("hashes");

        statement.confirm(
                "used",
                statement.bandings("fit").stream().mapToDouble(Banding::hashes).toArray());
        assertThat(statement.bandings("fit")).allMatch(banding -> banding.hashes() <= hashes);
        assertThat(statement.banding("tooMany").hashes()).isGreaterThan(hashes);
        statement.confirm("bandings", bandings(hashes).size());
    }

    @StatementTest("D12")
    void shouldSayThatTheTargetsCannotBeMet(Statement statement) {
        String[] find = statement.text("find").split(":", 2);
        String[] reject = statement.text("reject").split(":", 2);
        double findSimilarity = Double.parseDouble(find[0]);
        double rejectSimilarity = Double.parseDouble(reject[0]);
        int hashes = statement.whole("hashes");
        BandingTargets targets = new BandingTargets(
                findSimilarity, Double.parseDouble(find[1]), rejectSimilarity, Double.parseDouble(reject[1]));

        Banding nearest = targets.bestWithin(hashes);
        Banding cheapest = targets.cheapest().orElseThrow();

        assertThat(targets.cheapestWithin(hashes)).isEmpty();
        assertThat(bandings(hashes)).noneMatch(targets::areMetBy);
        assertThat(printed(nearest)).isEqualTo(statement.expectedText("nearest"));
        statement.confirm("nearestFinds", nearest.curve().probability(findSimilarity));
        statement.confirm("nearestRejects", nearest.curve().probability(rejectSimilarity));
        assertThat(printed(cheapest)).isEqualTo(statement.expectedText("cheapest"));
        statement.confirm("cheapestFinds", cheapest.curve().probability(findSimilarity));
        statement.confirm("cheapestRejects", cheapest.curve().probability(rejectSimilarity));
    }

    @StatementTest("D15")
    void shouldFindMoreAtTheThresholdThanTheLeastSumOfAreas(Statement statement) {
        List<String> found = statement.words("thresholds").stream()
                .map(threshold -> printed(leastAreas(Double.parseDouble(threshold), statement.whole("hashes"))))
                .toList();

        assertThat(found).isEqualTo(statement.expectedWords("bandings"));
        double at = statement.number("at");
        Banding theirs = leastAreas(at, statement.whole("hashes"));
        statement.confirm("probability", theirs.curve().probability(at));
        Banding ours = BandingSolver.solve(at, 0.99, 1_000, 0.02, statement.whole("hashes"));
        assertThat(ours.curve().probability(at)).isGreaterThanOrEqualTo(0.99);
    }

    /** The area below the curve up to the threshold, and above it from there on, are together the least. */
    private static Banding leastAreas(double threshold, int hashes) {
        Banding best = new Banding(1, 1);
        double least = Double.MAX_VALUE;
        for (Banding banding : bandings(hashes)) {
            SCurve curve = banding.curve();
            double areas = Integral.of(curve::probability, 0, threshold)
                    + Integral.of(s -> 1 - curve.probability(s), threshold, 1);
            if (areas < least) {
                least = areas;
                best = banding;
            }
        }
        return best;
    }

    private static List<Banding> bandings(int hashes) {
        List<Banding> bandings = new ArrayList<>();
        for (int bands = 1; bands <= hashes; bands++) {
            for (int rows = 1; bands * rows <= hashes; rows++) {
                bandings.add(new Banding(bands, rows));
            }
        }
        return bandings;
    }

    private static String printed(Banding banding) {
        return banding.bands() + "x" + banding.rows();
    }

    @StatementTest("D16")
    void shouldFindEachPairOnceTheEarlierFirst(Statement statement) {
        Banding banding = statement.banding("banding");
        BandKeys keys = banding.keys(new int[banding.hashes()]);
        List<BandKeys> equal =
                IntStream.range(0, statement.whole("equal")).mapToObj(i -> keys).toList();

        assertThat(Pairs.of(new BandTable(banding.bands(), BUCKET_MAX), equal))
                .containsExactlyInAnyOrderElementsOf(statement.expectedWords("pairs"));
    }

    @StatementTest("D20")
    void shouldAnswerAfterARestartAsBefore(Statement statement) throws IOException {
        Banding banding = statement.banding("banding");
        SplittableRandom random = new SplittableRandom(20);
        List<BandKeys> keys = IntStream.range(0, statement.whole("documents"))
                .mapToObj(i -> banding.keys(random.ints(banding.hashes(), 0, 4).toArray()))
                .toList();
        int half = keys.size() / 2;
        BandTable kept = new BandTable(banding.bands(), BUCKET_MAX);
        BandTable stopped = new BandTable(banding.bands(), BUCKET_MAX);
        Pairs.of(kept, keys.subList(0, half));
        Pairs.of(stopped, keys.subList(0, half));

        BandTable started = restart(stopped, banding.bands());

        List<String> after = Pairs.of(kept, keys.subList(half, keys.size()));
        assertThat(after).isNotEmpty();
        List<String> differing = new ArrayList<>(Pairs.of(started, keys.subList(half, keys.size())));
        differing.removeAll(after);
        statement.confirm("differences", differing.size());
        assertThat(started.documents()).isEqualTo(kept.documents());
    }

    private static BandTable restart(BandTable table, int bands) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrayOutput output = new ArrayOutput(Channels.newChannel(bytes));
        table.beginCopy(output);
        table.endCopy();
        output.finish();
        return BandTable.readFrom(
                new ArrayInput(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray()))), bands, BUCKET_MAX);
    }

    @StatementTest("E01")
    void shouldNotTakeACandidateForADuplicate(Statement statement) {
        String shingle = statement.text("shingle");
        Banding banding = statement.banding("banding");
        FastSimilaritySketch scheme = new FastSimilaritySketch(banding.hashes());
        List<BandKeys> keys = List.of(statement.text("a"), statement.text("b")).stream()
                .map(text ->
                        banding.keys(scheme.sign(Shingled.all(shingle, text)).values()))
                .toList();

        boolean candidate =
                !Pairs.of(new BandTable(banding.bands(), BUCKET_MAX), keys).isEmpty();
        double similarity = new ExactOverlap(Shingler.of(shingle, Shingled.SEED), Measure.JACCARD)
                .similarity(ExactJudge.evidence(statement.text("a")), ExactJudge.evidence(statement.text("b")))
                .value();

        assertThat(String.valueOf(candidate)).isEqualTo(statement.expectedText("candidate"));
        assertThat(String.valueOf(similarity >= statement.number("threshold")))
                .isEqualTo(statement.expectedText("duplicate"));
    }

    private static boolean shareABucket(BandKeys a, BandKeys b) {
        return bandsShared(a, b) > 0;
    }

    private static int bandsShared(BandKeys a, BandKeys b) {
        int shared = 0;
        for (int band = 0; band < a.bands(); band++) {
            shared += a.key(band) == b.key(band) ? 1 : 0;
        }
        return shared;
    }
}
