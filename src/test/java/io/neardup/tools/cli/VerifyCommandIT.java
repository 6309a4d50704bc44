package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.migration.ClusterView;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import io.neardup.testing.VerdictStories;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.DocumentSearch;
import io.neardup.tools.audit.ExampleTexts;
import io.neardup.tools.audit.PromiseReport;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One run of the service; then its topics as they are, and copies of them in which something is wrong. */
class VerifyCommandIT extends CommandTest {
    private static final int PARTITIONS = 2;

    private static final int LIVE_PARTITIONS = 4;
    private static final int LIVE_DOCUMENTS = 20_000;
    private static final int LIVE_RUNS = 3;
    private static final String[] LIVE = {
        "application.id=live",
        "neardup.input.topics=live-documents",
        "neardup.unique.topic=live-unique",
        "neardup.duplicates.topic=live-duplicate-of",
        "neardup.dead-letter.topic=live-dead-letter"
    };

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    private static int fed;

    @BeforeAll
    static void run(@TempDir Path state) throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, PARTITIONS);
        Records.createTopic(BROKER.bootstrapServers(), "verdicts", PARTITIONS);
        List<News> news = feed();
        fed = news.size();
        NeardupConfig config = config("state.dir=" + state, "replication.factor=1", "neardup.outputs=records,verdicts");
        try (DedupService service = DedupService.start(config);
                Outputs outputs = new Outputs(BROKER.bootstrapServers());
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", PARTITIONS)) {
            feeder.feed(news);
            outputs.await(fed, PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        // Verdicts are to be read as the outputs are.
        await().atMost(PATIENCE).until(() -> OpenTransactions.partitions(BROKER.bootstrapServers())
                .isEmpty());
    }

    /** With blank texts, records that are repeated as they are, and copies of the first two at the end. */
    private static List<News> feed() {
        List<News> news = new ArrayList<>(NewsFeed.generate(400, 7));
        for (int i = 0; i < 400; i += 40) {
            news.set(i + 5, new News(news.get(i + 5).id(), " "));
            news.set(i + 9, news.get(i + 3));
        }
        news.add(new News("copy-of-0", news.get(0).text()));
        news.add(new News("copy-of-1", news.get(1).text()));
        return news;
    }

    private static List<String> settings(String... more) {
        String[] settings = {"bootstrap.servers=" + BROKER.bootstrapServers(), "neardup.hash.seed=1"};
        return List.of(with(settings, more));
    }

    private static NeardupConfig config(String... more) {
        return NeardupConfig.forCluster(new Settings().pairs(settings(more)));
    }

    private int verify(String... more) {
        return execute(withSettings(settings(more), "verify"));
    }

    /** Makes another topic of the records of this one, once they are changed. */
    private static void plant(String topic, String to, Consumer<List<ProducerRecord<byte[], byte[]>>> change)
            throws Exception {
        String servers = BROKER.bootstrapServers();
        Records.createTopic(servers, to, PARTITIONS);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(Records.read(servers, topic));
        change.accept(records);
        send(to, records);
    }

    private static void send(String to, List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(BROKER.bootstrapServers(), Map.of())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                Future<?> unused = producer.send(new ProducerRecord<>(
                        to, record.partition(), record.timestamp(), record.key(), record.value(), record.headers()));
            }
        }
    }

    private String printed() {
        return words(out.toString());
    }

    @Test
    void shouldFindThePromisesHeldByRecordsAndVerdicts() {
        assertThat(verify("neardup.outputs=records,verdicts"))
                .as(out + "\n" + err)
                .isZero();

        assertThat(printed())
                .contains("conservation held 402 records")
                .contains("verdicts-conservation held 402 records")
                .containsPattern("verdicts-valid-reference held 1[0-9]{2} duplicates")
                .contains("verdicts-order held 402 records")
                .doesNotContain("BROKEN", "unknown");
    }

    @Test
    void shouldPrintItAsJson() throws Exception {
        JsonNode found = json(withSettings(settings(), "verify", "--json", "--all"));

        assertThat(found.get("conservation").get("judged").asInt()).isEqualTo(fed);
        assertThat(found.get("valid-reference").get("held").asBoolean()).isTrue();
        assertThat(found.get("valid-reference").get("judged").asInt()).isGreaterThan(80);
        assertThat(found.get("no-remaining-duplicates").get("judged").asInt()).isGreaterThan(200);
    }

    /** What each kind of fault looks like is tried in the tests of the checks; here, that topics lead to them. */
    @Test
    void shouldFindVerdictsThatAreLostDoubledSwappedOrUnlike() throws Exception {
        plant("verdicts", "verdicts-broken", verdicts -> {
            List<Integer> duplicates = IntStream.range(50, verdicts.size())
                    .filter(i -> text(verdicts.get(i)).contains("\"duplicate\""))
                    .boxed()
                    .toList();
            change(verdicts, duplicates.get(0), "\"duplicateOf\":\"[^\"]*\"", "\"duplicateOf\":\"nobody\"");
            change(verdicts, duplicates.get(1), "\"similarity\":[0-9.]*", "\"similarity\":0.1");
            verdicts.add(duplicates.get(3), verdicts.get(duplicates.get(3)));
            verdicts.remove((int) duplicates.get(2));
            verdicts.add(31, verdicts.remove(30));
        });

        assertThat(verify("neardup.outputs=verdicts", "neardup.verdicts.topic=verdicts-broken"))
                .isEqualTo(1);
        assertThat(printed())
                .contains("verdicts-conservation BROKEN", ", 2 breaks", " 1 lost, first: documents-", " 1 doubled,")
                .contains("verdicts-order BROKEN", " 1 order, first: verdicts-broken-0 offset 3")
                .contains("verdicts-valid-reference BROKEN", " 1 below threshold,", "found 0.1")
                .contains(" 1 no original, first: the verdict on documents-", " names nobody at documents-");
    }

    private static String text(ProducerRecord<byte[], byte[]> record) {
        return new String(record.value(), UTF_8);
    }

    private static void change(List<ProducerRecord<byte[], byte[]>> records, int at, String pattern, String to) {
        ProducerRecord<byte[], byte[]> record = records.get(at);
        byte[] value = text(record).replaceFirst(pattern, to).getBytes(UTF_8);
        records.set(at, with(record, value, record.headers()));
    }

    @Test
    void shouldFindRecordsThatAreLostDoubledOrChanged() throws Exception {
        plant("unique", "unique-broken", records -> {
            change(records, 30, "text\":\".", "text\":\"#");
            records.remove(20);
        });
        plant("dead-letter", "dead-doubled", records -> records.add(records.get(1)));

        assertThat(verify("neardup.unique.topic=unique-broken", "neardup.dead-letter.topic=dead-doubled"))
                .isEqualTo(1);
        assertThat(printed())
                .contains("conservation BROKEN", ", 4 breaks", " 2 lost, first: documents-")
                .contains(" 1 doubled, first: dead-doubled-")
                .contains(" 1 strange, first: unique-broken-")
                .contains(" order held");
    }

    /** One names another duplicate, as in a chain of edits; one tells another similarity; two copies are unique. */
    @Test
    void shouldFindDuplicatesWithoutOriginalOrSimilarityAndOnesThatAreUnique() throws Exception {
        List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>();
        plant("duplicate-of", "duplicate-of-broken", records -> {
            replaceHeader(records, 3, "neardup.duplicate-of", records.get(4).key());
            replaceHeader(records, 5, "neardup.similarity", "0.123".getBytes(UTF_8));
            records.stream()
                    .filter(record -> new String(record.key(), UTF_8).startsWith("copy-of-"))
                    .forEach(copies::add);
            records.removeAll(copies);
        });
        plant("unique", "unique-more", records -> {
            copies.forEach(copy -> records.add(with(
                    copy, copy.value(), new RecordHeaders(given(copy.headers().toArray())))));
        });

        assertThat(verify("neardup.duplicates.topic=duplicate-of-broken", "neardup.unique.topic=unique-more"))
                .isEqualTo(1);
        assertThat(printed())
                .contains("conservation held", "valid-reference BROKEN", "no-remaining-duplicates BROKEN")
                .contains(" 1 no original, first: duplicate-of-broken-")
                .contains(" 1 misreported, first: duplicate-of-broken-")
                .contains(" 2 both unique, first: unique-more-", "expected a similarity below 0.7, found ")
                .contains(" order held");
    }

    private static void replaceHeader(List<ProducerRecord<byte[], byte[]>> records, int at, String name, byte[] value) {
        ProducerRecord<byte[], byte[]> record = records.get(at);
        Headers headers = new RecordHeaders(record.headers().toArray());
        headers.remove(name);
        headers.add(name, value);
        records.set(at, with(record, record.value(), headers));
    }

    private static List<Header> given(Header[] headers) {
        return List.of(headers).subList(0, 2);
    }

    /** In what is in flight nothing is lost: it has not left yet, or is committed on one partition before another. */
    @Test
    void shouldFindThePromisesHeldWhileDocumentsFlow(@TempDir Path state) throws Exception {
        for (String topic : Outputs.WITH_INPUT) {
            Records.createTopic(BROKER.bootstrapServers(), "live-" + topic, LIVE_PARTITIONS);
        }
        NeardupConfig config = config(with(LIVE, "state.dir=" + state, "replication.factor=1"));
        ExecutorService producer = Executors.newSingleThreadExecutor();
        try (DedupService service = DedupService.start(config);
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "live-documents", LIVE_PARTITIONS)) {
            List<News> news = NewsFeed.generate(LIVE_DOCUMENTS, 13);
            AtomicBoolean over = new AtomicBoolean();
            // However long the runs take: what is sent again is a record of its own.
            Future<?> sending = producer.submit(() -> {
                for (int sent = 0; !over.get(); sent = (sent + 20) % LIVE_DOCUMENTS) {
                    feeder.feed(news.subList(sent, sent + 20));
                }
                return null;
            });
            Records.readCommitted(BROKER.bootstrapServers(), "live-unique", 20);
            for (int i = 0; i < LIVE_RUNS; i++) {
                assertThat(verify(LIVE)).as(out + "\n" + err).isZero();
                assertThat(printed()).contains("conservation held", "valid-reference held", "order held");
            }
            assertThat(sending.isDone()).as("documents flow no more").isFalse();
            over.set(true);
            sending.get();
            assertThat(service.ended()).isNotDone();
        } finally {
            producer.shutdownNow();
        }
    }

    private JsonNode why(String id, String... settings) throws Exception {
        return json(withSettings(settings(settings), "why", id, "--json"));
    }

    /** A dead letter among few, which was sent again with its timestamp, and what became of it among many. */
    @Test
    void shouldTellTheLastOutcomeWhereverTheRecordsStand() throws Exception {
        List<ProducerRecord<byte[], byte[]>> first = new ArrayList<>();
        plant("unique", "unique-again", records -> first.add(records.get(0)));
        plant("dead-letter", "dead-before", records -> {
            records.add(with(first.get(0), first.get(0).value(), new RecordHeaders()));
        });

        JsonNode found = why(
                new String(first.get(0).key(), UTF_8),
                "neardup.unique.topic=unique-again",
                "neardup.dead-letter.topic=dead-before");

        assertThat(found.get("outcome").asText()).isEqualTo("unique");
        assertThat(found.at("/record/offset").asInt()).isZero();
        assertThat(found.at("/before/0/topic").asText()).isEqualTo("dead-before");
    }

    /** A later document of the same id stands behind each that is unique. */
    @ParameterizedTest
    @EnumSource(names = {"UNIQUE", "DUPLICATE", "DEAD_LETTER"})
    void shouldTellWhatBecameOfTheRecordAtAPlace(Outcome outcome) throws Exception {
        String later = "unique-later-" + outcome.code();
        plant("unique", later, records -> {
            records.addAll(records.stream().map(VerifyCommandIT::aDayLater).toList());
        });
        Verdict verdict = verdict(one -> one.outcome() == outcome);

        JsonNode found = why(verdict.position().toString(), "neardup.unique.topic=" + later);

        assertThat(found.get("outcome").asText()).isEqualTo(outcome.code());
        assertThat(found.get("id").asText()).isEqualTo(verdict.id());
        assertThat(found.at("/record/timestamp").asLong()).isEqualTo(verdict.timestampMillis());
    }

    private static ProducerRecord<byte[], byte[]> aDayLater(ProducerRecord<byte[], byte[]> record) {
        long timestamp = record.timestamp() + Duration.ofDays(1).toMillis();
        return new ProducerRecord<>(
                record.topic(), record.partition(), timestamp, record.key(), another(record), record.headers());
    }

    private static byte[] another(ProducerRecord<byte[], byte[]> record) {
        return text(record).replace("\"text\":\"", "\"text\":\"another ").getBytes(UTF_8);
    }

    @Test
    void shouldTellARecordFromOneThatWasSentAgainAsItWas() throws Exception {
        Verdict again = verdict(
                one -> one.repeated() != null && one.repeated().original().equals(one.id()));

        String place = requireNonNull(requireNonNull(again.repeated()).place());
        assertThat(why(place).get("outcome").asText()).isEqualTo("unique");
        assertThat(why(again.position().toString()).get("outcome").asText()).isEqualTo("duplicate");
    }

    private static Verdict verdict(Predicate<Verdict> wanted) {
        return Records.read(BROKER.bootstrapServers(), "verdicts").stream()
                .map(VerifyCommandIT::verdict)
                .filter(wanted)
                .findFirst()
                .orElseThrow();
    }

    private static Verdict verdict(ProducerRecord<byte[], byte[]> record) {
        try {
            return VerdictCodec.decode(record.value());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldTellTheNearestWhereBrokersStampWhatIsUnique() throws Exception {
        Records.createTopic(
                BROKER.bootstrapServers(),
                "unique-stamped",
                PARTITIONS,
                Map.of("message.timestamp.type", "LogAppendTime"));
        send("unique-stamped", Records.read(BROKER.bootstrapServers(), "unique"));
        Verdict verdict = verdict(one -> one.outcome() == Outcome.UNIQUE && one.nearest() == null);
        plant("verdicts", "verdicts-nearest", verdicts -> {
            int at = IntStream.range(0, verdicts.size())
                    .filter(i -> verdict(verdicts.get(i)).equals(verdict))
                    .findFirst()
                    .orElseThrow();
            String nearest = "\"nearest\":{\"id\":\"near\",\"place\":\"documents-0-0\",\"similarity\":0.5}";
            change(verdicts, at, "\"outcome\":\"unique\"", "$0," + nearest);
        });

        JsonNode found = why(
                verdict.position().toString(),
                "neardup.unique.topic=unique-stamped",
                "neardup.verdicts.topic=verdicts-nearest",
                "neardup.outputs=records,verdicts");

        assertThat(found.at("/verdict/nearest/id").asText()).isEqualTo("near");
    }

    /** What is found in the first stretch leaves older records of other topics out. */
    @Test
    void shouldCountNoFewerThanNoOffsetsToGo() throws Exception {
        List<String> told = new ArrayList<>();
        try (ClusterView cluster = new ClusterView(config())) {
            assertThat(new DocumentSearch(cluster, OptionalLong.empty(), told::add).find("copy-of-1"))
                    .isNotEmpty();
        }
        assertThat(told).isNotEmpty().noneMatch(line -> line.contains(": -"));
    }

    @Test
    void shouldShowTheOriginalAndNotAnotherOfItsId() throws Exception {
        JsonNode copy = why("copy-of-0");
        plant("unique", "unique-twice", records -> {
            ProducerRecord<byte[], byte[]> original = records.stream()
                    .filter(record -> new String(record.key(), UTF_8)
                            .equals(copy.get("neardup.duplicate-of").asText()))
                    .findFirst()
                    .orElseThrow();
            records.add(with(original, another(original), original.headers()));
        });

        JsonNode found = why("copy-of-0", "neardup.unique.topic=unique-twice");

        assertThat(found.at("/originalRecord/offset")).isEqualTo(copy.at("/originalRecord/offset"));
    }

    @Test
    void shouldReadTheTextsOfTwoDocumentsOfOneId() throws Exception {
        plant("documents", "documents-twice", records -> {
            ProducerRecord<byte[], byte[]> first = records.get(0);
            records.subList(1, records.size()).clear();
            records.add(with(first, another(first), first.headers()));
        });
        NeardupConfig config = config();
        String id = new String(
                Records.read(BROKER.bootstrapServers(), "documents").get(0).key(), UTF_8);
        Repeated first = new Repeated(id, "documents-twice-0-0", Similarity.of(0.9), null);
        Verdict second = VerdictStories.verdict(new Position("documents-twice", 0, 1), id, first, "", null, 1);
        ExampleTexts texts = new ExampleTexts(config, List.of(new DiffReport.Pair(second, second)));

        try (ClusterView cluster = new ClusterView(config)) {
            texts.readInput(cluster);
        }

        assertThat(texts.of(second)).isEqualTo("another " + texts.of(first));
    }

    /** As by retention, between two stretches of the reading. */
    @Test
    void shouldFindWhatIsLeftWhereRecordsAreDeletedMeanwhile() throws Exception {
        plant("unique", "unique-cut", records -> {});
        try (ClusterView cluster = new ClusterView(config("neardup.unique.topic=unique-cut"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            DocumentSearch search =
                    new DocumentSearch(cluster, OptionalLong.empty(), told -> cut(admin, "unique-cut", 50));

            assertThat(search.findOriginal("nobody", null)).isEmpty();
        }
    }

    /** More than one fetch has, of an output or of its input too; a duplicate names what is deleted. */
    @ParameterizedTest
    @CsvSource({"one, 0", "both, 250"})
    void shouldJudgeWhatIsLeftWhereRecordsAreDeletedMeanwhile(String name, long ofInput) throws Exception {
        String servers = BROKER.bootstrapServers();
        String[] names = {
            "application.id=cut-" + name,
            "neardup.input.topics=" + name + "-documents",
            "neardup.unique.topic=" + name + "-unique",
            "neardup.duplicates.topic=" + name + "-duplicate-of",
            "neardup.dead-letter.topic=" + name + "-dead-letter"
        };
        for (String topic : Outputs.WITH_INPUT) {
            Records.createTopic(servers, name + "-" + topic, 1);
        }
        Random random = new Random(3);
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(servers, Map.of())) {
            for (int i = 0; i < 300; i++) {
                News one = new News("n" + i, new BigInteger(150_000, random).toString(36));
                for (String topic : List.of("-documents", "-unique")) {
                    Future<?> unused = producer.send(new ProducerRecord<>(
                            name + topic, 0, 1_000L, one.id().getBytes(UTF_8), one.json()));
                }
            }
            News copy = new News("copy", "a text of some words that nobody has but one");
            byte[] key = copy.id().getBytes(UTF_8);
            Future<?> unusedInput =
                    producer.send(new ProducerRecord<>(name + "-documents", 0, 1_000L, key, copy.json()));
            Headers headers = new RecordHeaders()
                    .add("neardup.id", key)
                    .add("neardup.duplicate-of", "n190".getBytes(UTF_8))
                    .add("neardup.similarity", "0.9".getBytes(UTF_8));
            Future<?> unusedOutput =
                    producer.send(new ProducerRecord<>(name + "-duplicate-of", 0, 1_000L, key, copy.json(), headers));
        }
        AtomicBoolean isCut = new AtomicBoolean();
        try (ClusterView cluster = new ClusterView(config(names));
                Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Consumer<String> cut = told -> {
                if (!isCut.getAndSet(true)) {
                    cut(admin, name + "-unique", 200);
                    cut(admin, name + "-documents", ofInput);
                }
            };

            List<PromiseReport> reports = new PromiseVerifier(cluster, cut).run(true);

            assertThat(reports).allSatisfy(report -> assertThat(report.breaks()).isEmpty());
            assertThat(reports.get(0).judged()).isBetween(50L, 250L);
        }
    }

    private static void cut(Admin admin, String topic, long offset) {
        try {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "neardup.shingle=char:5, neardup.shingle: the index was made with",
        "neardup.similarity.threshold=0.8, '(bands and rows follow from threshold, recall and index size)'",
        "neardup.unique.topic=nowhere, 'topic nowhere: expected a topic of the service, found none'"
    })
    void shouldRefuseWhatTheIndexOrTheClusterDoesNotHave(String setting, String message) {
        assertThat(verify(setting)).isEqualTo(1);
        assertThat(err.toString()).contains(message);
    }

    /** Without the seed of the buckets nobody knows who should have met. */
    @Test
    void shouldNotCallHeldWhatItCouldNotLookAt() throws Exception {
        assertThat(verify("application.id=nobody")).isZero();
        assertThat(printed())
                .contains("no-remaining-duplicates unknown 0 unique documents not looked at")
                .contains("there is no index of application.id nobody")
                .contains("valid-reference held");
    }

    private static ProducerRecord<byte[], byte[]> with(
            ProducerRecord<byte[], byte[]> record, byte[] value, Headers headers) {
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), value, headers);
    }
}
