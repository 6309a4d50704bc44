package io.neardup.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.bandlog.BandSnapshot;
import io.neardup.bandlog.BandTables;
import io.neardup.bandlog.Changelog;
import io.neardup.bandlog.LoggedBandTable;
import io.neardup.bandlog.RecentPages;
import io.neardup.lsh.BandKeys;
import io.neardup.lsh.BandTable;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Ref;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.wire.BandLogCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance leaves in its snapshots is what the changelog says up to their offsets. */
@Tag("slow")
class BandSnapshotsIT {
    private static final int PARTITIONS = 2;
    private static final int BAND_PARTITIONS = 4;
    private static final int BANDS = 20;
    private static final int BUCKET_MAX = 1000;
    private static final int PART = 4_000;
    /** One running snapshot is due at the first commit, and another when 50,000 documents have come or gone. */
    private static final int MANY = 90_000;

    private static final Pattern LATER_SNAPSHOT = Pattern.compile("wrote buckets beside the work .* documents=\\d{5}");
    private static final Ref NOBODY = new Ref(9, 9);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** With a standby for each task. */
    @Test
    void shouldKeepWhatTheChangelogSaysWhoeverKeepsIt() throws Exception {
        List<News> news = NewsFeed.generateShort(3 * PART, 1);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1)) {
            String servers = cluster.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
            try (InstanceProcess second = start(servers, "second");
                    Outputs outputs = new Outputs(servers);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                awaitRunning(second, 0);
                try (InstanceProcess first = start(servers, "first")) {
                    awaitRunning(first, 0);
                    feed(feeder, outputs, news.subList(0, PART));
                    first.killHard();
                }
                feed(feeder, outputs, news.subList(PART, 2 * PART));
                int loggedBefore = Files.readString(folder.resolve("first").resolve("instance.log"))
                        .length();
                try (InstanceProcess first = start(servers, "first")) {
                    awaitRunning(first, loggedBefore);
                    feed(feeder, outputs, news.subList(2 * PART, 3 * PART));
                    assertThat(first.stop()).isEqualTo(143);
                }
                assertThat(second.stop()).isEqualTo(143);
            }
            List<Path> snapshots = snapshots();
            assertThat(snapshots).hasSizeGreaterThan(BAND_PARTITIONS);
            for (Path snapshot : snapshots) {
                compareWithChangelog(servers, snapshot);
            }
        }
    }

    @Test
    void shouldLeaveWhatTheChangelogSaysWhereItIsKilledAtWork() throws Exception {
        List<News> news = NewsFeed.generateShort(MANY, 2);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1)) {
            String servers = cluster.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
            try (InstanceProcess only = start(servers, "only", 0);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                feeder.feed(news);
                await("snapshots of many documents")
                        .atMost(PATIENCE)
                        .until(() ->
                                LATER_SNAPSHOT.matcher(only.log()).results().count() >= BAND_PARTITIONS);
                only.killHard();
            }
            List<Path> snapshots = snapshots();
            assertThat(snapshots).hasSize(BAND_PARTITIONS);
            for (Path snapshot : snapshots) {
                compareWithChangelog(servers, snapshot);
            }
        }
    }

    private InstanceProcess start(String servers, String name) throws Exception {
        return start(servers, name, 1);
    }

    private InstanceProcess start(String servers, String name, int standbys) throws Exception {
        return InstanceProcess.start(
                folder.resolve(name),
                List.of("-Dneardup.log.kafka=INFO", "-Dneardup.log.level=DEBUG"),
                List.of(
                        "bootstrap.servers=" + servers,
                        "application.id=standby",
                        "num.standby.replicas=" + standbys,
                        "acceptable.recovery.lag=1000000000",
                        "neardup.bands=" + BANDS,
                        "neardup.rows=5"));
    }

    private static void awaitRunning(InstanceProcess instance, int loggedBefore) {
        await("instance runs")
                .atMost(PATIENCE)
                .until(() -> instance.log().substring(loggedBefore).contains("state=RUNNING before=REBALANCING"));
    }

    private static void feed(Feeder feeder, Outputs outputs, List<News> news) throws Exception {
        int before = outputs.size();
        feeder.feed(news);
        outputs.await(before + news.size(), PATIENCE);
    }

    private List<Path> snapshots() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(NodeNames.BUCKETS + ".snapshot"))
                    .toList();
        }
    }

    private static void compareWithChangelog(String servers, Path file) throws Exception {
        int partition = Integer.parseInt(
                file.getName(file.getNameCount() - 2).toString().substring(2));
        int bands = new Partitions(BAND_PARTITIONS, BANDS).bandsOf(partition).length;
        BandSnapshot.Content kept = new BandSnapshot(file, bands, BUCKET_MAX)
                .read(System.currentTimeMillis(), new RecentPages(), new Changelog())
                .orElseThrow();
        List<ConsumerRecord<byte[], byte[]>> changelog =
                changelog(servers, partition, kept.header().offset());
        LoggedBandTable restored =
                new LoggedBandTable(new BandTable(bands, BUCKET_MAX), new RecentPages(), new Changelog());
        changelog.forEach(entry -> restored.restore(entry.key(), entry.value()));

        assertThat(kept.table().documents()).as(file.toString()).isEqualTo(restored.documents());
        assertThat(allKeys(changelog)).isNotEmpty().allSatisfy(keys -> assertThat(
                        BandTables.named(kept.table(), NOBODY, keys))
                .isEqualTo(BandTables.named(restored, NOBODY, keys)));
    }

    private static List<BandKeys> allKeys(List<ConsumerRecord<byte[], byte[]>> changelog) {
        return changelog.stream()
                .filter(entry -> entry.value() != null
                        && !BandLogCodec.decodeKey(entry.key()).dead())
                .flatMap(entry -> BandLogCodec.decodeDocuments(entry.value()).documents().stream())
                .map(BandLogCodec.Indexed::keys)
                .toList();
    }

    /** Its committed records up to an offset. */
    private static List<ConsumerRecord<byte[], byte[]>> changelog(String servers, int partition, long last) {
        TopicPartition topic = new TopicPartition("standby-" + NodeNames.BUCKETS + "-changelog", partition);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "auto.offset.reset", "earliest",
                        "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(topic));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.position(topic) <= last && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        records.removeIf(entry -> entry.offset() > last);
        return records;
    }
}
