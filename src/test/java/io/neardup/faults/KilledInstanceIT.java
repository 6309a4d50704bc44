package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledInstanceIT {
    private static final int PARTITIONS = 4;
    private static final int BATCH = 100;
    private static final long BATCH_EVERY_MILLIS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void shouldLoseAndDoubleNothingWhenOneOfTwoInstancesIsKilled() throws Exception {
        List<News> news = NewsFeed.generate(6_000, 1);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            for (String topic : List.of("documents", Outputs.UNIQUE, Outputs.DUPLICATE_OF, Outputs.DEAD_LETTER)) {
                Records.createTopic(servers, topic, PARTITIONS);
            }
            try (InstanceProcess first = start(servers, "first");
                    InstanceProcess second = start(servers, "second");
                    Outputs outputs = new Outputs(servers);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                await("both share the input")
                        .atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(ExecutionException.class)
                        .until(() -> membersWithInput(servers) >= 2);

                CountDownLatch killed = new CountDownLatch(1);
                CompletableFuture<Void> feeding = CompletableFuture.runAsync(() -> feedSlowly(feeder, news, killed));
                outputs.await(1_000, PATIENCE);
                first.killHard();
                assertThat(outputs.size()).isLessThan(news.size() / 2);
                killed.countDown();

                feeding.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                outputs.await(news.size(), PATIENCE);
                outputs.drain(Duration.ofSeconds(1));
                assertThat(second.isAlive()).isTrue();
                new Promises(news, outputs).check(PARTITIONS);
                assertThat(second.stop()).isEqualTo(143);
            }
        }
    }

    /** So that documents are in flight all the while; the second half comes only after the kill. */
    private static void feedSlowly(Feeder feeder, List<News> news, CountDownLatch killed) {
        try {
            for (int at = 0; at < news.size(); at += BATCH) {
                if (at == news.size() / 2) {
                    killed.await();
                }
                feeder.feed(news.subList(at, at + BATCH));
                TimeUnit.MILLISECONDS.sleep(BATCH_EVERY_MILLIS);
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private InstanceProcess start(String servers, String name) throws Exception {
        return InstanceProcess.start(
                folder.resolve(name),
                List.of("bootstrap.servers=" + servers, "application.id=faults", "replication.factor=1"));
    }

    /** How many processes are assigned partitions of the input. */
    private static long membersWithInput(String servers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.describeConsumerGroups(List.of("faults")).all().get().values().stream()
                    .flatMap(group -> group.members().stream())
                    .filter(member -> member.assignment().topicPartitions().stream()
                            .anyMatch(partition -> partition.topic().equals("documents")))
                    .map(KilledInstanceIT::processOf)
                    .distinct()
                    .count();
        }
    }

    /** Client ids are {@code application-process-StreamThread-N-consumer}. */
    private static String processOf(MemberDescription member) {
        return member.clientId().replaceAll("-StreamThread-.*", "");
    }
}
