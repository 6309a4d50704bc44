package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.HtmlText;
import io.neardup.engine.text.StopWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSettingsTest {

    private static final int COORDINATORS = 4;

    private static IndexSettings settings(int inputPartitions, String... pairs) {
        return settings(inputPartitions, Map.of("state", 3), pairs);
    }

    private static IndexSettings settings(int inputPartitions, Map<String, Integer> layouts, String... pairs) {
        return IndexSettings.of(config(pairs), inputPartitions, layouts);
    }

    @Test
    void shouldNameAllThatShapesAnIndex() {
        assertThat(settings(3).entries())
                .containsOnlyKeys(
                        ("normalized-text.version neardup.text.case neardup.shingle shingler.version neardup.signature"
                                        + " signature.version sketch.version neardup.banding band-keys.version"
                                        + " neardup.similarity.verify neardup.bands.partitions input.partitions"
                                        + " layout.state")
                                .split(" "))
                .containsEntry("neardup.banding", "26x5");
    }

    /** The seed alone is kept beside these settings; what names and places the service is no part of an index. */
    @Test
    void shouldBindAnIndexAsTheTableOfSettingsSays(@TempDir Path folder) throws IOException {
        Path boilerplate = Files.writeString(folder.resolve("boilerplate"), CommonSets.file("char:9"));
        Path publishers = Files.writeString(folder.resolve("publishers"), "a\tb\n");
        Path frequencies = Files.writeString(
                folder.resolve("frequencies"), "# neardup document frequencies: 9 documents\n3\train\n");
        Set<String> checked = new TreeSet<>(List.of("application.id", "bootstrap.servers", "neardup.hash.seed"));
        // What changes, and what else is set before and after.
        List<List<String>> all = new ArrayList<>(List.of(
                List.of("neardup.stopwords=en", "neardup.shingle=stopword:2"),
                List.of("neardup.boilerplate=" + boilerplate),
                List.of("neardup.publishers=" + publishers, "neardup.source=/a"),
                List.of(
                        "neardup.simhash.frequencies=" + frequencies,
                        "neardup.signature=simhash",
                        "neardup.shingle=word:1")));
        for (String alone : """
            input.topics=a seed.topics=a seed.judge=true seed.retention=record successor.of=a outputs=verdicts
            unique.topic=a duplicates.topic=a dead-letter.topic=a duplicates.value=verdict verdicts.topic=a
            document.format=text registry.url=http://a registry.id.bytes=8 registry.credentials.file=a
            registry.truststore.file=a registry.truststore.password=a document.id=/a document.text=/a document.html=true
            document.bytes.max=100
            scope=/a versions=replace signature=simhash shingle=char:8 text.case=keep
            similarity.threshold=0.8 similarity.measure=containment similarity.verify=estimate
            similarity.unrelated=0.1 recall=0.9 index.size=1000 banding=10x5 bands.partitions=3
            retention=1d,refreshed bucket.max=10 verified.max=10 originals.memory.bytes=1048576 http.listen=localhost:0
            http.health.listen=localhost:0 http.token.file=a http.hosts=a source=/a stories.topic=a
            stories.every=1s stories.representative=longest http.texts=true
            """.strip().split("\\s+", -1)) {
            all.add(List.of("neardup." + alone));
        }
        for (List<String> settings : all) {
            String name = settings.get(0).substring(0, settings.get(0).indexOf('='));
            Set<Keys.Mark> marks = Keys.all().stream()
                    .filter(key -> key.name().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .marks();
            List<String> others = settings.subList(1, settings.size());
            assertThat(differs(settings, others))
                    .as(name)
                    .isEqualTo(marks.contains(Keys.Mark.BOUND) || marks.contains(Keys.Mark.BY_BANDING));
            // Where both are given, the banding of the settings counts.
            assertThat(differs(withBanding(settings), withBanding(others)))
                    .as(name)
                    .isEqualTo(marks.contains(Keys.Mark.BOUND));
            // How the work is spread over partitions is nothing that records are judged by.
            assertThat(fingerprint(settings).equals(fingerprint(others)))
                    .as(name)
                    .isEqualTo(marks.isEmpty() || name.equals("neardup.bands.partitions"));
            checked.add(name);
        }
        assertThat(checked).containsExactlyInAnyOrderElementsOf(Keys.names());
    }

    private static boolean differs(List<String> now, List<String> before) {
        return !settings(3, now.toArray(String[]::new))
                .differences(settings(3, before.toArray(String[]::new)))
                .isEmpty();
    }

    private static List<String> withBanding(List<String> settings) {
        return Stream.concat(Stream.of("neardup.banding=20x5"), settings.stream())
                .toList();
    }

    @Test
    void shouldSayWhatDiffers() {
        IndexSettings stored = settings(3);

        assertThat(settings(6, "neardup.shingle=char:5").differences(stored))
                .containsExactly(
                        "input.partitions: the index was made with 3, now 6",
                        "neardup.shingle: the index was made with char:9, now char:5");
        assertThat(settings(3, "neardup.document.html=true").differences(stored))
                .containsExactly(
                        "html-text.version: the index was made with nothing, now " + HtmlText.VERSION,
                        "neardup.document.html: the index was made with nothing, now true");
        assertThat(settings(3).differences(stored)).isEmpty();
        assertThat(settings(3, "neardup.stopwords=en").differences(stored)).isEmpty();
        assertThat(settings(3, "neardup.shingle=word:2..2").differences(settings(3, "neardup.shingle=word:2")))
                .isEmpty();
    }

    @Test
    void shouldTellTheLayoutsThatAReleaseDoesNotReadApartFromWhatCanBeSet() {
        IndexSettings stored = settings(3, Map.of("state", 2, "messages", 4, "past", 1));
        assertThat(settings(3, Map.of("state", 3, "messages", 4, "band-log", 2)).differences(stored))
                .isEmpty();
        assertThat(stored.unsupportedLayouts(Map.of("state", 3, "messages", 4, "band-log", 2)))
                .containsExactly(
                        "layout.band-log: the index was made with nothing, this release reads 2",
                        "layout.past: the index was made with 1, this release reads nothing",
                        "layout.state: the index was made with 2, this release reads 3");
        assertThat(stored.unsupportedLayouts(Map.of("state", 2, "messages", 4, "past", 1)))
                .isEmpty();
    }

    @Test
    void shouldKeepAFingerprintOfTheStopWordsInAnyOrder() {
        assertThat(settings(3, "neardup.shingle=stopword:3", "neardup.stopwords=en,de")
                        .entries())
                .containsEntry("neardup.stopwords", StopWords.of("de", "en").fingerprint());
    }

    private static String fingerprint(List<String> settings) {
        return config(settings.toArray(String[]::new)).fingerprint();
    }

    @Test
    void shouldJudgeAlikeUnderASettingOfItsDefaultAndAnySeedAndName() {
        assertThat(fingerprint(
                        List.of("neardup.similarity.threshold=0.7", "neardup.hash.seed=7", "application.id=other")))
                .isEqualTo(fingerprint(List.of()))
                .as("as verdicts of earlier builds have it")
                .isEqualTo("73b83f941062ef68");
    }

    /** As a successor is started again after its cutover. */
    @ParameterizedTest
    @ValueSource(strings = {"successor.of=a", "seed.topics=a", "seed.judge=true"})
    void shouldJudgeAlikeWhateverTheIndexBeganWith(String setting) {
        assertThat(fingerprint(List.of("neardup." + setting))).isEqualTo(fingerprint(List.of()));
    }

    private static NeardupConfig config(String... pairs) {
        return NeardupConfig.of(new Settings().pairs(List.of(pairs)));
    }

    private static IndexSettings made(String... pairs) {
        return IndexSettings.of(config(pairs), COORDINATORS, Map.of("state", 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.similarity.threshold=0.8", "neardup.shingle=word:3",
                "neardup.signature=simhash", "neardup.signature=exact",
                "neardup.similarity.verify=estimate", "neardup.recall=0.9",
                "neardup.index.size=1000", "neardup.bands.partitions=7",
                "neardup.versions=replace", "neardup.hash.seed=5"
            })
    void shouldAllowWhatFollowsFromNormalizedTexts(String setting) {
        assertThat(made().successorProblems(config(setting), COORDINATORS)).isEmpty();
        assertThat(made("neardup.signature=simhash").successorProblems(config(setting), COORDINATORS))
                .isEmpty();
    }

    /** Whoever adds a setting to which an index is bound decides it, and adds it to one of the two tests. */
    @Test
    void shouldTellOfEveryBoundSettingWhetherASuccessorMayHaveAnother() {
        String mustBeTheSame = "text.case document.html scope";
        String mayBeAnother = "versions signature shingle stopwords boilerplate simhash.frequencies similarity.verify"
                + " banding bands.partitions hash.seed";

        assertThat(Keys.all().stream()
                        .filter(key -> key.marks().contains(Keys.Mark.BOUND))
                        .map(key -> key.name().replace("neardup.", "")))
                .containsExactlyInAnyOrder((mustBeTheSame + " " + mayBeAnother).split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "neardup.text.case, keep, lower",
        "neardup.document.html, true, nothing",
        "neardup.scope, /lang, nothing",
    })
    void shouldRefuseWhatNeedsTheInput(String key, String other, String usual) {
        assertThat(made().successorProblems(config(key + "=" + other), COORDINATORS))
                .contains(key + ": the predecessor was made with " + usual + ", now " + other);
        assertThat(made(key + "=" + other).successorProblems(config(), COORDINATORS))
                .contains(key + ": the predecessor was made with " + other + ", now " + usual);
        assertThat(made(key + "=" + other).successorProblems(config(key + "=" + other), COORDINATORS))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            textprofile
            exact-bytes
            io.neardup.engine.similarity.RandomProjectionFamily neardup.family.dimensions=4 neardup.family.width=4
            """)
    void shouldRefuseASignatureThatReadsMore(String signature) {
        assertThat(made().successorProblems(config(("neardup.signature=" + signature).split(" ")), COORDINATORS))
                .singleElement()
                .asString()
                .startsWith("neardup.signature: expected one that compares normalized texts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"neardup.similarity.verify=estimate", "neardup.signature=exact", "neardup.signature=textprofile"
            })
    void shouldRefuseAPredecessorThatKeepsNoTexts(String setting) {
        assertThat(made(setting).successorProblems(config(), COORDINATORS))
                .first()
                .asString()
                .startsWith("neardup.similarity.verify: the predecessor keeps no texts");
    }

    @Test
    void shouldRefuseFewerPartitionsThanThePredecessorHas() {
        assertThat(made().successorProblems(config(), COORDINATORS + 1)).isEmpty();
        assertThat(made().successorProblems(config(), COORDINATORS - 1))
                .containsExactly("neardup.input.topics: expected at least 4 partitions, as when the predecessor was"
                        + " made, found 3");
    }

    @Test
    void shouldRefuseSeedsBesideAPredecessor() {
        assertThat(made().successorProblems(config("neardup.seed.topics=corpus"), COORDINATORS))
                .singleElement()
                .asString()
                .startsWith("neardup.seed.topics: expected none beside a predecessor");
    }
}
