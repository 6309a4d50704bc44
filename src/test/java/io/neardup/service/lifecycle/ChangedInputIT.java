package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.IndexSettings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The changes of input and release that are most likely: {@link ChangedWorldIT} makes all others. */
class ChangedInputIT extends SharedWorld {
    @Test
    void shouldMissNothingWhereTransactionsWereDeletedThatHaveLeft() throws Exception {
        List<String> documents =
                FIRST.stream().map(one -> new String(one.json(), UTF_8)).toList();
        try (DedupService service = DedupService.start(config())) {
            Records.commit(servers, "documents", documents);
            outputs.await(FIRST.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        deleteAllRecords("documents");
        try (DedupService service = DedupService.start(config())) {
            feed(SECOND);
            outputs.await(NEWS.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
    }

    /** As the cluster does by itself where a service stands still for longer than brokers keep positions. */
    @Test
    void shouldGoOnAtItsOwnPositionsWhereThoseOfTheGroupAreForgotten() throws Exception {
        makeIndex();
        await("a group without members")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(() -> {
                    admin.deleteConsumerGroups(List.of(applicationId)).all().get();
                    return true;
                });
        feed(SECOND);

        assertAllComesOut();
    }

    @Test
    void shouldStopWhereInputWasDeletedBeforeItWasRead() throws Exception {
        makeIndex();
        feed(SECOND);
        deleteRecords("documents", 150);

        try (DedupService service = DedupService.start(config())) {
            assertStops(
                    service,
                    "input documents-0: expected to go on from offset 101, found 150 as the first: 49 offsets were"
                            + " deleted before their records had left");
        }
        try (DedupService service = DedupService.start(config().skippingDeletedInput())) {
            outputs.await(NEWS.size() - 49, PATIENCE);
            outputs.drain(Duration.ofMillis(500));
            assertThat(outputs.size()).isEqualTo(NEWS.size() - 49);
            assertThat(service.ended()).isNotDone();
        }
    }

    @Test
    void shouldReadAnInputMadeAgainFromItsBeginningOnRequest() throws Exception {
        makeIndex();
        delete("documents");
        create("documents");
        feed(SECOND.subList(0, 100));

        assertRefused("input topic documents: expected the topic that was read before, found another");
        try (DedupService service = DedupService.start(config().skippingDeletedInput())) {
            outputs.await(FIRST.size() + 100, PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        feed(SECOND.subList(100, SECOND.size()));
        assertAllComesOut();
    }

    @Test
    void shouldRefuseAnIndexOfOtherLayouts() throws Exception {
        String unversioned = settingsRecord(Map.of());
        String later = settingsRecord(Map.of("state", 99)).replace("}}", "},\"release\":\"9.9\",\"more\":{}}");

        writeSettings("unversioned", unversioned);
        writeSettings("later", later);

        assertThatThrownBy(() -> DedupService.start(config("application.id=unversioned")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("layout.state: the index was made with nothing, this release reads 8")
                .hasMessageContaining("was made by an earlier release")
                .hasMessageContaining("run that release, or make a new index of what it has released, under another"
                        + " application.id with neardup.seed.topics=unique and outputs of other names, as"
                        + " src/docs/changes.md tells.")
                .satisfies(e -> assertThat(e).message().hasLineCount(1));
        assertThatThrownBy(() -> DedupService.start(config("application.id=later")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("layout.state: the index was made with 99, this release reads 8")
                .hasMessageContaining("was made by release 9.9");
    }

    private String settingsRecord(Map<String, Integer> layouts) throws Exception {
        Map<String, String> settings =
                IndexSettings.of(config(), PARTITIONS, layouts).entries();
        return "{\"format\":1,\"index\":\"i\",\"hashSeed\":1,\"settings\":"
                + new ObjectMapper().writeValueAsString(settings) + "}";
    }

    private void writeSettings(String application, String settings) throws Exception {
        String topic = application + "-settings";
        Records.createTopic(servers, topic, 1);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, "i", settings)).get();
        }
    }

    @Test
    void shouldStopWhenATopicOfItsOwnGrows() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            grow(applicationId + "-replies");
            assertStops(
                    service,
                    "topic " + applicationId
                            + "-replies: expected the one that the service started with, with 2 partitions, found"
                            + " 3");
        }
        await("no thread that looks at the topics")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("neardup-chores")));
    }

    @Test
    void shouldTakeATopicForGoneOnlyWhereItStaysAway() throws Exception {
        ClusterAdmin topics = new ClusterAdmin(admin, servers);
        List<String> both = List.of("documents", Outputs.UNIQUE);
        TopicWatch watch = new TopicWatch(topics, topics.find(both), config(), 1);

        delete(Outputs.UNIQUE);
        assertThat(watch.lastingChanges()).isEmpty();
        create(Outputs.UNIQUE);
        assertThat(watch.lastingChanges()).isEmpty();
        delete("documents");
        assertThat(watch.lastingChanges()).isEmpty();
        assertThat(watch.lastingChanges()).singleElement().asString().contains("topic documents", "found none");
    }
}
