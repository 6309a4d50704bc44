package io.neardup.service.lifecycle;

import static io.neardup.service.lifecycle.DocumentChecksTest.check;
import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One coordinator and one index partition, and three instances: one of them owns nothing. */
class DocumentChecksIT {
    private static final int INSTANCES = 3;
    private static final int QUESTIONS = 100;
    /** As long as topics carry it by default. */
    private static final String LONG_TEXT = new Random(5)
            .ints(165_000, 100_000, 1_000_000)
            .mapToObj(word -> " " + word)
            .collect(Collectors.joining())
            .substring(0, 1_000_000);

    @RegisterExtension
    static final World WORLD = new World();

    @Test
    void shouldAnswerFromAnyInstanceWithoutATrace() throws Exception {
        WORLD.createTopics(1);
        List<DedupService> services = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            services.add(WORLD.startElsewhere("neardup.bands.partitions=1", "neardup.document.bytes.max=2000000"));
        }
        List<News> news = new ArrayList<>(NewsFeed.generate(200, 7));
        news.add(new News("long", LONG_TEXT));
        WORLD.feed(news);
        WORLD.awaitOutputs(news.size());
        await("all run, one of them without coordinator and bands")
                .atMost(PATIENCE)
                .until(() -> services.stream().allMatch(DedupService::isRunning)
                        && services.stream()
                                .anyMatch(service -> service.status().tasks() == 0));
        awaitRest();

        checkThatAllAnswerAlike(services, news.get(0).text());
        checkThatALongDocumentIsAnswered(services.get(0).checks());
        checkThatOthersAreRefused(services.get(0).checks());
        checkThatStateStaysAsItIs(services, news);
        checkThatAnOddAnswerHindersNoLaterCheck(
                services.get(0).checks(), news.get(0).text());
    }

    private static byte[] document(String text) {
        return "{\"id\":\"asked\",\"text\":\"%s\"}".formatted(text).getBytes(UTF_8);
    }

    /** The first document is an original, and this one differs from it in its end. */
    private static void checkThatAllAnswerAlike(List<DedupService> services, String text) throws Exception {
        for (DedupService service : services) {
            CheckResult result = check(service.checks(), document(text + " and so on"), PATIENCE);

            Neighbour original = result.originalAt(0.7).orElseThrow();
            assertThat(original.ref().sequence()).isZero();
            assertThat(original.similarity().value()).isBetween(0.9, 0.9999);
            assertThat(result.uniqueAbove()).isEqualTo(original.similarity().value());
            assertThat(result.id()).isEqualTo("asked");

            assertThat(check(service.checks(), document("nothing like it was ever said before"), PATIENCE)
                            .nearest())
                    .isEmpty();
        }
    }

    /** Longer than what a producer takes by default. */
    private static void checkThatALongDocumentIsAnswered(DocumentChecks checks) throws Exception {
        byte[] longer = document(LONG_TEXT + LONG_TEXT.substring(0, 100_000));

        assertThat(check(checks, longer, PATIENCE).originalAt(0.7)).isPresent();
    }

    private static void checkThatOthersAreRefused(DocumentChecks checks) {
        assertThatThrownBy(() -> check(checks, document(" "), PATIENCE))
                .isInstanceOfSatisfying(CheckException.class, e -> {
                    assertThat(e.kind()).isEqualTo(CheckException.Kind.REJECTED);
                    assertThat(e.code()).isEqualTo("blank-text");
                });
        assertThatThrownBy(() -> check(checks, document("in no time at all"), Duration.ofMillis(1)))
                .isInstanceOfSatisfying(
                        CheckException.class, e -> assertThat(e.kind()).isEqualTo(CheckException.Kind.TIMEOUT));
        assertThat(checks.open()).isZero();
    }

    /** Of no value: nothing that could be decoded. */
    private static void checkThatAnOddAnswerHindersNoLaterCheck(DocumentChecks checks, String text) throws Exception {
        WORLD.send(List.of(new ProducerRecord<>(new TopicNames(WORLD.applicationId()).checks(), 0, null, null)));
        await("a check that reads answers again")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(CheckException.class)
                .until(() -> check(checks, document(text), Duration.ofSeconds(5))
                        .originalAt(0.7)
                        .isPresent());
    }

    private static void checkThatStateStaysAsItIs(List<DedupService> services, List<News> news) throws Exception {
        Map<TopicPartition, Long> before = changelogEnds();
        ExecutorService askers = Executors.newFixedThreadPool(48);
        try {
            List<Future<CheckResult>> results = new ArrayList<>();
            for (int i = 0; i < QUESTIONS; i++) {
                DocumentChecks checks = services.get(i % INSTANCES).checks();
                String text = news.get(i % news.size()).text();
                results.add(askers.submit(() -> check(checks, document(text), PATIENCE)));
            }
            for (Future<CheckResult> result : results) {
                assertThat(result.get().originalAt(0.7)).isPresent();
            }
        } finally {
            askers.shutdownNow();
        }
        assertThat(changelogEnds()).isEqualTo(before);
    }

    /** What is out may have more to tell its bands. */
    private static void awaitRest() {
        Set<Map<TopicPartition, Long>> ends = new HashSet<>();
        await("changelogs that grow no more")
                .pollInterval(Duration.ofSeconds(1))
                .atMost(PATIENCE)
                .until(() -> !ends.add(changelogEnds()));
    }

    private static Map<TopicPartition, Long> changelogEnds() throws Exception {
        return WORLD.cluster()
                .ends(new TopicNames(WORLD.applicationId())
                        .changelogs(WORLD.config()).stream()
                                .map(topic -> new TopicPartition(topic, 0))
                                .toList());
    }
}
