package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Real documents, where they lie beside the project: what the sources found in RCV1, on the first of Reuters-21578. */
class RealNewsTest {
    private static final Path NEWS = Path.of("../shared/data/reuters21578.jsonl.gz");
    private static final String SHINGLE = "char:5";
    private static final int DOCUMENTS = 1_000;
    private static final int SEEDS = 10;

    @Test
    void shouldMissNoPairAt90Percent() throws IOException {
        List<String> texts = texts(NEWS, DOCUMENTS);
        List<SimilarPair> similar = similarPairs(texts, 0.9);

        Set<String> found = candidates(new Banding(20, 5), 1, texts);

        assertThat(similar).isNotEmpty().allMatch(pair -> found.contains(pair.name()));
    }

    /** Pairs of one text are not independent of each other, so the spread is measured, seed by seed. */
    @Test
    void shouldFindPairsAsOftenAsTheCurveSays() throws IOException {
        List<String> texts = texts(NEWS, DOCUMENTS);
        List<SimilarPair> similar = similarPairs(texts, 0.3);
        Banding banding = new Banding(20, 5);
        double expected = similar.stream()
                .mapToDouble(pair -> banding.probability(pair.jaccard()))
                .sum();
        double[] met = new double[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            Set<String> found = candidates(banding, seed, texts);
            met[seed] =
                    similar.stream().filter(pair -> found.contains(pair.name())).count();
        }

        double mean = Arrays.stream(met).average().orElseThrow();
        double squares = Arrays.stream(met).map(m -> (m - mean) * (m - mean)).sum();
        double error = Math.sqrt(squares / (SEEDS - 1) / SEEDS);
        // With so few seeds the error itself is uncertain: beyond 5.7 of them once in 3,000 choices of seeds.
        assertThat(mean).as("of %s pairs", similar.size()).isEqualTo(expected, within(5.7 * error));
    }

    /** The earlier of two documents, a dash, the later. */
    private record SimilarPair(String name, double jaccard) {}

    private static List<SimilarPair> similarPairs(List<String> texts, double from) {
        Shingler shingler = Shingler.of(SHINGLE, 1);
        List<ShingleSet> sets = texts.stream()
                .map(text -> ShingleSet.of(ShingleLists.of(shingler, text)))
                .toList();
        List<SimilarPair> similar = new ArrayList<>();
        for (int later = 0; later < sets.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                double jaccard = jaccardFrom(from, sets.get(earlier), sets.get(later));
                if (jaccard >= from) {
                    similar.add(new SimilarPair(earlier + "-" + later, jaccard));
                }
            }
        }
        return similar;
    }

    /** 0 at once where the sizes alone keep the similarity below. */
    private static double jaccardFrom(double from, ShingleSet a, ShingleSet b) {
        double most = Math.min(a.size(), b.size()) / (double) Math.max(a.size(), b.size());
        return most < from ? 0 : a.jaccard(b);
    }

    /** Looks each document up and adds it then. */
    private static Set<String> candidates(Banding banding, long seed, List<String> texts) {
        Shingler shingler = Shingler.of(SHINGLE, seed);
        Shingles shingles = new Shingles();
        FastSimilaritySketch scheme = new FastSimilaritySketch(banding.hashes());
        BandTable table = new BandTable(banding.bands(), DOCUMENTS);
        SharedBands earlier = new SharedBands();
        Set<String> pairs = new HashSet<>();
        for (int number = 0; number < texts.size(); number++) {
            shingler.shingle(texts.get(number), shingles);
            BandKeys keys = banding.keys(scheme.sign(shingles));
            earlier.clear();
            table.candidates(number, keys, earlier);
            for (int i = 0; i < earlier.size(); i++) {
                pairs.add(earlier.document(i) + "-" + number);
            }
            table.insert(number, keys);
        }
        return pairs;
    }

    private static List<String> texts(Path file, int documents) throws IOException {
        assumeTrue(Files.exists(file), "needs " + file);
        ObjectMapper json = new ObjectMapper();
        List<String> texts = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && texts.size() < documents; line = lines.readLine()) {
                String text = NormalizedText.of(json.readTree(line).path("text").asText());
                if (!text.isEmpty()) {
                    texts.add(text);
                }
            }
        }
        return texts;
    }
}
