package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.neardup.config.Representative.Rule;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.similarity.BitSamplingFamily;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.StopWords;
import io.neardup.streams.store.TopicNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NeardupConfigTest {
    private static final String COMMON = CommonSets.file("char:3", "5\tabc");

    @Test
    void shouldRefuseTopicsOfTheServiceItself() {
        for (String own : new TopicNames("live").all()) {
            assertThatThrownBy(() -> config("application.id=live", "neardup.unique.topic=" + own))
                    .hasMessageContaining(own + " is an internal topic of application.id already");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            neardup.scope=/lang,/tenant | expected one JSON pointer (RFC 6901) such as /lang, without a comma
            neardup.document.id=header:neardup.id | neardup.document.id = header:neardup.id
            neardup.scope=header: | or header:NAME, the name not beginning with neardup.
            neardup.document.format=text neardup.scope=/lang | expected none or header:NAME with\
             neardup.document.format=text
            neardup.document.format=avro | expected neardup.registry.url with it
            neardup.document.format=auto neardup.registry.url=https://anna:pw@host | neardup.registry.url
            neardup.document.format=avro neardup.registry.url=http://a neardup.registry.truststore.file=/missing\
             | neardup.registry.truststore.file = /missing
            neardup.document.html=true neardup.signature=io.neardup.engine.similarity.RandomProjectionFamily\
             neardup.family.dimensions=3 neardup.similarity.threshold=0.9 | expected false with a signature that\
             compares numbers
            neardup.outputs=stories | expected records, verdicts or both beside stories
            neardup.outputs=records,stories neardup.input.topics=stories | is neardup.input.topics already
            neardup.stories.representative=source: | expected first, longest, newest, or source:a,b,c
            neardup.stories.representative=source | expected first, longest, newest, or source:a,b,c
            neardup.stories.representative=source:dpa | expected source:... only with neardup.source
            neardup.stories.every=forever | expected a number with s, m, h or d, such as 10s
            neardup.input.topics=neardup-story-events | is an internal topic of application.id already
            neardup.publishers=a neardup.source=/a | expected a file, found none
            neardup.publishers=pom.xml | expected only with neardup.source
            neardup.http.source=/source | no setting any more, give neardup.source instead
            neardup.source=/a neardup.document.format=text | expected none or header:NAME with
            neardup.document.id=/a neardup.document.format=text | expected none or header:NAME with
            neardup.document.text=/a neardup.document.format=text | expected none with
            neardup.simhash.frequencies=a | expected only with simhash, found with minhash
            neardup.similarity.measure=containment neardup.signature=a.Class | expected only with minhash, found with\
             a.Class
            neardup.signature=no.such.Class | class no.such.Class: expected on the class path a public class that\
             implements io.neardup.engine.similarity.Family, with a public constructor that takes a Map, found\
             java.lang.ClassNotFoundException
            neardup.signature=java.lang.String | found java.lang.ClassCastException
            neardup.signature=io.neardup.engine.similarity.EqualityFamily | found java.lang.NoSuchMethodException
            neardup.signature=io.neardup.engine.similarity.BitSamplingFamily | neardup.family.bits is not set: expected\
             a multiple of 4
            neardup.signature=io.neardup.engine.similarity.RandomProjectionFamily neardup.family.dimensions=3\
             neardup.family.width=1e300 | expected documents at the threshold 0.5 to agree on more values of a\
             signature than those at neardup.similarity.unrelated = 0.1 do, found no more
            neardup.family.bits=64 | neardup.family.bits: expected only where neardup.signature names a class, found\
             with minhash
            neardup.banding=52x5 | neardup.banding = 52x5 (--set): expected bands x rows of at most 256, found 52 x 5 =\
             260
            neardup.signature=simhash neardup.banding=1024x1 neardup.bands.partitions=1 | expected at most 1000 bands\
             for each of neardup.bands.partitions
            neardup.outputs=verdicts neardup.input.topics=verdicts | verdicts is neardup.input.topics already
            application.id=a neardup.successor.of=a | neardup.successor.of
            neardup.bands=1 | neardup.bands = 1 (--set): no setting any more, give neardup.banding, such as 26x5,\
             instead
            neardup.shingles.max=1 | neardup.shingles.max = 1 (--set): no setting any more, leave it out: it is\
             1000000, or neardup.document.bytes.max where that is more
            neardup.signature=md5 | expected minhash, simhash, textprofile, exact, exact-bytes or the name of a class
            """)
    void shouldSayWhatIsWrongWithSettings(String settings, String message) {
        assertThatThrownBy(() -> config(settings.split(" "))).hasMessageContaining(message);
    }

    @Test
    void shouldLetLaterSourcesGoOverEarlierOnes(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("f.properties"),
                "\uFEFFneardup.recall=0.9\nneardup.shingle=char:5\nneardup.unique.topic=u\ncommit.interval.ms=100\n");
        NeardupConfig config = NeardupConfig.of(new Settings()
                .file(file)
                .environment(Map.of(
                        "NEARDUP_SHINGLE", "char:6",
                        "NEARDUP_RECALL", "0.95",
                        "NEARDUP_DEAD_LETTER_TOPIC", "dead",
                        "NEARDUP_BANDING", "",
                        "KAFKA_COMMIT_INTERVAL_MS", "200",
                        "PATH", "/bin"))
                .pairs(List.of("neardup.recall=0.8", "neardup.recall = 0.99")));
        assertThat(config)
                .returns("u", NeardupConfig::uniqueTopic)
                .returns("char:6", merged -> merged.shingling().spec())
                .returns(0.99, NeardupConfig::recall)
                .returns("dead", NeardupConfig::deadLetterTopic);
        assertThat(config.kafka()).containsEntry("commit.interval.ms", "200").doesNotContainKey("path");
    }

    @Test
    void shouldReportEverythingAtOnceWithItsOrigin(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("f.properties"), "neardup.shingle=char:65\nneardup.simlarity.threshold=0.8\n");
        Settings settings = new Settings()
                .file(file)
                .environment(Map.of("NEARDUP_RECALL", "1"))
                .pairs(List.of(
                        "neardup.banding=16",
                        "recall=0.9",
                        "oops",
                        "neardup.shingle",
                        "neardup.unique.topic=documents"));

        var exception = catchThrowableOfType(ConfigurationException.class, () -> NeardupConfig.forCluster(settings));

        assertThat(exception.problems())
                .containsExactlyInAnyOrder(
                        "--set: expected key=value, found no key",
                        "--set: expected key=value, found neardup.shingle without a value",
                        "neardup.shingle = char:65 (file " + file + "): expected char:k or word:k with k from 1 to 64,"
                                + " word:min..max with at most 8 lengths, or stopword:k with k from 2 to 64 (basic; an"
                                + " index is bound to it)",
                        "neardup.simlarity.threshold (file " + file
                                + "): no such setting; config/neardup.properties has all",
                        "neardup.recall = 1 (environment variable NEARDUP_RECALL): expected a number above 0 and"
                                + " below 1 (basic; an index is bound to it unless neardup.banding is given)",
                        "recall = 0.9 (--set): expected the key neardup.recall",
                        "neardup.banding = 16 (--set): expected BANDSxROWS such as 26x5, each from 1 to 1024 (expert;"
                                + " an index is bound to it)",
                        "neardup.unique.topic = documents (--set): expected a topic of its own, but documents is"
                                + " neardup.input.topics already",
                        "bootstrap.servers: expected host:port, several separated by commas (basic), found none");
        assertThat(exception).hasMessageStartingWith("9 problems with the configuration:\n  ");
        exception.problems().forEach(problem -> assertThat(exception).hasMessageContaining(problem));
    }

    /** A key, and values that it does not take. */
    static Stream<String> refused() {
        return """
            neardup.similarity.threshold  0  1.1  NaN  high  0.02
            neardup.similarity.unrelated  -0.1
            neardup.similarity.verify  EXACT
            neardup.recall  0
            neardup.index.size  0  many
            neardup.banding  4  0x5  26x1025  26 x 5
            neardup.bands.partitions  1025
            neardup.hash.seed  x  of:  of:a b  of:neardup
            neardup.document.format  xml
            neardup.document.id  id  ''
            neardup.document.text  ''  text  /a,/a  /a~2  /a~
            neardup.document.bytes.max  0
            neardup.input.topics  ''  a,,b  a b
            neardup.unique.topic  ..  neardup-replies
            neardup.dead-letter.topic  unique
            neardup.shingle  char  word:0  stopword:1  word:1..9
            neardup.stopwords  ''  en,xx  en,,de  ./no/such/file  .
            application.id  a/b  ..
            neardup.retention  7  7d,  refreshed
            neardup.http.texts  yes
            neardup.  ''
            """.lines()
                .map(line -> line.split("  "))
                .flatMap(row -> Stream.of(row).skip(1).map(value -> row[0] + "=" + value.replace("''", "")));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuse(String pair) {
        assertThat(problems(pair)).singleElement().asString().startsWith(pair.substring(0, pair.indexOf('=')));
    }

    private static List<String> problems(String... pairs) {
        return catchThrowableOfType(ConfigurationException.class, () -> config(pairs))
                .problems();
    }

    @Test
    void shouldRememberAndRefreshAsLongAsIsSaid() {
        assertThat(config().retention()).isEqualTo(new Retention(7L * 24 * 3_600_000, false));
        assertThat(config("neardup.retention=90m,refreshed").retention()).isEqualTo(new Retention(5_400_000, true));
        assertThat(config("neardup.retention=forever").retention()).isEqualTo(Retention.FOREVER);
    }

    @Test
    void shouldTakeTheSeedOfAnotherIndex() {
        NeardupConfig config = config("neardup.hash.seed=of:live");

        assertThat(config.hashSeedOf()).contains("live");
        assertThat(config.hashSeed()).isEmpty();
        assertThat(config("neardup.hash.seed=7").hashSeedOf()).isEmpty();
    }

    @Test
    void shouldRefuseUnknownVariables() {
        Settings settings = new Settings()
                .environment(Map.of(
                        "NEARDUP_SIMILARITY_TRESHOLD", "0.8",
                        "NEARDUP_ZOOKEEPER", "x",
                        "NEARDUP_SHINGLES_MAX", "1",
                        "NEARDUPLICATES", "y"));
        assertThatThrownBy(() -> NeardupConfig.of(settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("3 problems")
                .hasMessageContaining("NEARDUP_SHINGLES_MAX): no setting any more, leave it out: it is 1000000")
                .hasMessageContaining("environment variable NEARDUP_SIMILARITY_TRESHOLD: no such setting")
                .hasMessageContaining("environment variable NEARDUP_ZOOKEEPER: no such setting");
    }

    @Test
    void shouldOnlyWarnOfForeignVariables() {
        NeardupConfig config = NeardupConfig.of(new Settings()
                .environment(Map.of(
                        "NEARDUP_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                        "KAFKA_HEAP_OPTS", "-Xmx1g",
                        "KAFKA_SERVICE_HOST", "10.0.0.2",
                        "KAFKA_PORT_9092_TCP_ADDR", "10.0.0.2",
                        "KAFKA_BOOTSTRAP_SERVERS", "kafka:9092")));

        assertThat(config.kafka()).containsOnlyKeys("application.id", "bootstrap.servers");
        assertThat(config.warnings())
                .hasSize(4)
                .contains("environment variable NEARDUP_PORT_8080_TCP: not taken for a setting, ignored");
    }

    @Test
    void shouldNeverShowSecrets() {
        assertThatThrownBy(() -> config(
                        "neardup.hash.seed=hush",
                        "neardup.hash.sed=hush",
                        "a.password: hush",
                        "hash.seed=hush",
                        "registry.truststore.password=hush"))
                .hasMessageContaining("neardup.hash.seed = (hidden)")
                .hasMessageNotContaining("hush");
    }

    @Test
    void shouldReportFilesThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path latin = Files.write(folder.resolve("latin"), "a=\u00E9".getBytes(StandardCharsets.ISO_8859_1));
        Path escape = Files.writeString(folder.resolve("escape"), "a=\\u00zz");
        Path twice = Files.writeString(folder.resolve("twice"), "neardup.recall=0.9\nneardup.recall=0.8\n");
        Path none = folder.resolve("none");
        Settings settings = new Settings().file(latin).file(escape).file(twice).file(none);
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> NeardupConfig.of(settings))
                        .problems())
                .containsExactly(
                        "file " + latin + ": expected UTF-8, found other bytes",
                        "file " + escape
                                + ": expected four hexadecimal digits after each backslash and u, found others",
                        "neardup.recall: expected once, found twice (file " + twice + ")",
                        "file " + none + ": expected a properties file, found none");
    }

    @Test
    void shouldTakeStopWordsOfLanguagesOrAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("words"), "\uFEFF# Common words\r\nThe\r\n\r\n  \u00E9t\u00E9\n#a\nof");
        assertThat(config().shingling().stopWords()).isEqualTo(StopWords.all());
        assertThat(config("neardup.stopwords=fr, en").shingling().stopWords()).isEqualTo(StopWords.of("en", "fr"));
        assertThat(config("neardup.stopwords=" + file).shingling().stopWords())
                .isEqualTo(StopWords.of(List.of("the", "\u00E9t\u00E9", "of")));
    }

    /** Beside what else is wrong. */
    @Test
    void shouldReportFilesThatHoldNoStopWords(@TempDir Path folder) throws IOException {
        Path latin = Files.write(folder.resolve("latin"), "\u00E9t\u00E9".getBytes(StandardCharsets.ISO_8859_1));
        Path none = Files.writeString(folder.resolve("none"), "# none\n\n");
        Map.of(latin, "expected UTF-8, found other bytes", none, "Stop words: expected at least one, found none")
                .forEach((file, expected) -> assertThat(problems("neardup.stopwords=" + file, "neardup.recall=1"))
                        .hasSize(2)
                        .contains("neardup.stopwords = " + file + " (--set): " + expected));
    }

    @Test
    void shouldReportFilesThatHoldNoBoilerplateOfTheSettings(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("common"), COMMON);
        assertBoilerplateProblem(
                file,
                "expected boilerplate shingles of char:9, "
                        + "case lower, found those of char:3, case lower: make them anew with"
                        + " these settings, tune boilerplate FILE --write OUT");
        assertBoilerplateProblem(folder.resolve("lost"), "expected a file, found none");
        for (String other : List.of("textprofile", "exact", "io.neardup.engine.similarity.RandomProjectionFamily")) {
            assertBoilerplateProblem(
                    file,
                    "expected only where shingles are compared, with neardup.signature=minhash or simhash, found with "
                            + other,
                    "neardup.signature=" + other,
                    "neardup.shingle=char:3");
        }
    }

    private static void assertBoilerplateProblem(Path file, String expected, String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = "neardup.boilerplate=" + file;
        assertThat(problems(all)).containsExactly("neardup.boilerplate = " + file + " (--set): " + expected);
    }

    private static NeardupConfig config(String... pairs) {
        return NeardupConfig.of(new Settings().pairs(List.of(pairs)));
    }

    @Test
    void shouldChooseBandsByTheChanceToAgreeOnAValue() {
        NeardupConfig config = config("neardup.signature=simhash");

        assertThat(config.threshold()).isEqualTo(0.9);
        assertThat(config.banding()).isEqualTo(new Banding(53, 16));
        assertThat(config("neardup.banding=32x8").banding()).isEqualTo(new Banding(32, 8));
        assertThat(config("neardup.signature=exact", "neardup.similarity.unrelated=0.1")
                        .banding())
                .isEqualTo(new Banding(1, 1));
    }

    @Test
    void shouldLoadAFamilyByTheNameOfItsClass() {
        String name = "io.neardup.engine.similarity.BitSamplingFamily";
        NeardupConfig config =
                config("neardup.signature=" + name, "neardup.family.bits=64", "neardup.similarity.threshold=0.95");
        NeardupConfig ofEnvironment = NeardupConfig.of(
                new Settings().environment(Map.of("NEARDUP_SIGNATURE", name, "NEARDUP_FAMILY_BITS", "32")));
        assertThat(config.family()).isInstanceOf(BitSamplingFamily.class);
        assertThat(config.family().identity()).containsEntry("family.bits", "64");
        assertThat(ofEnvironment.family().identity()).containsEntry("family.bits", "32");
    }

    @Test
    void shouldSayWhatIsWrongWithTheFrequenciesOfTerms(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("terms.tsv");
        Files.writeString(file, "# neardup document frequencies: 9 documents\n3\train\n");
        String[] settings = {
            "neardup.signature=simhash", "neardup.shingle=word:1..1", "neardup.simhash.frequencies=" + file
        };
        assertThat(config(settings).family().identity()).containsEntry("simhash.weights", "TF_IDF");

        settings[1] = "neardup.shingle=word:2";
        assertThatThrownBy(() -> config(settings)).hasMessageContaining("line 2: expected a term of as many words");
        settings[2] = "neardup.simhash.frequencies=" + folder.resolve("none");
        assertThatThrownBy(() -> config(settings)).hasMessageContaining("none: expected a file, found none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            records; unique,duplicate-of,dead-letter
            verdicts; verdicts
            records,verdicts; unique,duplicate-of,dead-letter,verdicts
            verdicts,records; unique,duplicate-of,dead-letter,verdicts
            stories,records; unique,duplicate-of,dead-letter,stories
            verdicts,stories; verdicts,stories
            """)
    void shouldListTheTopicsThatAreWrittenTo(String outputs, String topics) {
        assertThat(config("neardup.outputs=" + outputs).outputTopics()).containsExactly(topics.split(","));
    }

    @Test
    void shouldRefuseVerdictsAloneWhereRecordsAreNeeded() {
        assertThatThrownBy(() -> config("neardup.outputs=verdicts").requireRecords("a run ends with them"))
                .hasMessageContaining("neardup.outputs = verdicts: expected records, with or without verdicts and"
                        + " stories, as a run ends with them");
        assertThat(config("neardup.outputs=records,stories")
                        .requireRecords("a run ends with them")
                        .writesStories())
                .isTrue();
    }

    @Test
    void shouldLookOnlyAtTopicsThatAreWrittenTo() {
        assertThat(config("neardup.outputs=verdicts", "neardup.input.topics=unique")
                        .outputTopics())
                .containsExactly("verdicts");
        assertThat(config("neardup.input.topics=verdicts,stories").outputTopics())
                .doesNotContain("verdicts", "stories");
    }

    @Test
    void shouldTellWhichDocumentStandsForAStory() {
        assertThat(config().representative()).isEqualTo(new Representative(Rule.FIRST, List.of()));
        assertThat(config("neardup.stories.representative=newest").representative())
                .isEqualTo(new Representative(Rule.NEWEST, List.of()));
        assertThat(config("neardup.source=/source", "neardup.stories.representative=source: dpa, reuters.com")
                        .representative())
                .isEqualTo(new Representative(Rule.SOURCE, List.of("dpa", "reuters.com")));
    }

    @Test
    void shouldReadPublishersAtTheStart(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("publishers.tsv"), "# agencies\nbbc.co.uk\tBBC\nbbc.com BBC\n");
        String[] settings = {"neardup.source=header:feed", "neardup.publishers=" + file};
        assertThatThrownBy(() -> config(settings))
                .hasMessageContaining("neardup.publishers = " + file)
                .hasMessageContaining("line 3: expected a source, a tab and its publisher, found 'bbc.com BBC'");

        Files.writeString(file, "bbc.co.uk\tBBC\n");
        NeardupConfig config = config(settings);
        Files.delete(file);
        assertThat(config.publishers().of("https://www.bbc.co.uk/news/1")).hasValue("bbc");
    }
}
