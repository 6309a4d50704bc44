package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.store.BandLogCodec;
import io.neardup.streams.store.BandTables;
import io.neardup.streams.store.Changelog;
import io.neardup.streams.store.DiskEntries;
import io.neardup.streams.store.LoggedBandTable;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.store.OriginalsDisk;
import io.neardup.streams.store.OriginalsMemory;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Whether what an instance has on disk is what its changelogs say, as far as they are committed, up to the offsets that
 * stand beside it. The instance must have ended.
 */
public final class StateAudit {
    private static final int INDEX_PARTITIONS = 4;
    private static final int BUCKET_MAX = 1000;
    private static final long MEMORY_BYTES = 8 << 20;
    private static final DocumentRef NOBODY = new DocumentRef(9, 9);

    private final String servers;
    private final TopicNames names;
    private final int bands;

    /** An index of the default settings, but for the number of bands. */
    public StateAudit(String servers, String application, int bands) {
        this.servers = servers;
        this.names = new TopicNames(application);
        this.bands = bands;
    }

    /** The folders of buckets under a folder: those with a manifest. */
    public static List<Path> bucketsFolders(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> Files.exists(file.resolve("manifest"))).toList();
        }
    }

    /**
     * Fails if what a start makes of the buckets in a folder, and of the changelog behind their offset, is not what the
     * whole changelog says.
     */
    public void checkBuckets(Path buckets) throws IOException {
        int partition = partition(buckets.getFileName());
        int bandsOfIt = new Partitions(INDEX_PARTITIONS, bands).bandsOf(partition).length;
        List<ConsumerRecord<byte[], byte[]>> changelog = committed(names.bucketsChangelog(), partition, Long.MAX_VALUE);
        LoggedBandTable restored = new LoggedBandTable(new BandTable(bandsOfIt, BUCKET_MAX), 0, 0, new Changelog());
        changelog.forEach(entry -> restored.restore(entry.key(), entry.value()));
        try (BandTables.Started started = BandTables.started(
                buckets, changelogName(names.bucketsChangelog(), partition), bandsOfIt, BUCKET_MAX, changelog)) {
            assertThat(started.table().documents()).as(buckets.toString()).isEqualTo(restored.documents());
            assertThat(allKeys(changelog)).isNotEmpty().allSatisfy(keys -> assertThat(candidates(started.table(), keys))
                    .isEqualTo(candidates(restored, keys)));
        }
    }

    /** In the order in which they are returned. */
    private static List<Map.Entry<DocumentRef, Integer>> candidates(LoggedBandTable table, BandKeys keys) {
        return List.copyOf(BandTables.candidates(table, NOBODY, keys).entrySet());
    }

    /** Folders of tasks are named as 1_0: the sub-topology and the partition. */
    private static int partition(Path task) {
        return Integer.parseInt(task.toString().substring(2));
    }

    private static List<BandKeys> allKeys(List<ConsumerRecord<byte[], byte[]>> changelog) {
        return changelog.stream()
                .filter(entry -> entry.value() != null
                        && !BandLogCodec.KEY.decode(entry.key()).dead())
                .flatMap(entry -> BandLogCodec.DOCUMENTS.decode(entry.value()).stream())
                .map(BandLogCodec.Indexed::keys)
                .toList();
    }

    /**
     * Opens the originals of a coordinator as a start does, and fails if they are not what the changelog says, with
     * what is made of it.
     *
     * @param folder named as a task; it changes as by a start
     * @return up to where they reach
     */
    public OptionalLong checkOriginals(Path folder) throws IOException {
        Path expectedFolder = folder.resolveSibling("expected-" + folder.getFileName());
        String name = changelogName(names.originalsChangelog(), partition(folder.getFileName()));
        OriginalsMemory memory = new OriginalsMemory(MEMORY_BYTES);
        try (OriginalsDisk kept = open(folder, name, memory);
                OriginalsDisk expected = open(expectedFolder, name, memory)) {
            OptionalLong reached = kept.offset();
            if (reached.isPresent()) {
                restore(expected, partition(folder.getFileName()), reached.getAsLong());
            }
            Map<String, String> found = DiskEntries.of(kept);
            Map<String, String> changelog = DiskEntries.of(expected);
            assertThat(found.keySet()).as("%s up to %s", folder, reached).isEqualTo(changelog.keySet());
            assertThat(found.equals(changelog))
                    .as("%s up to %s", folder, reached)
                    .isTrue();
            return reached;
        }
    }

    private static OriginalsDisk open(Path folder, String changelog, OriginalsMemory memory) {
        return OriginalsDisk.open(
                folder, changelog, memory, System::currentTimeMillis, OriginalStore.secondaryKeys(Versions.COMPARE));
    }

    /** As the service names it: by the index, the topic's id, and the partition. */
    private String changelogName(String topic, int partition) {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers))) {
            Uuid id = admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                    .map(TopicDescription::topicId)
                    .findFirst()
                    .orElseThrow();
            byte[] index = committed(names.settings(), 0, 0).get(0).key();
            return new String(index, UTF_8) + "/" + id + "/" + partition;
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void restore(OriginalsDisk to, int partition, long last) {
        for (ConsumerRecord<byte[], byte[]> record : committed(names.originalsChangelog(), partition, last)) {
            if (record.value() == null) {
                to.remove(record.key());
            } else {
                to.put(record.key(), record.value());
            }
        }
        to.commit(last);
    }

    /** The committed records of a changelog up to an offset, or to the end. */
    private List<ConsumerRecord<byte[], byte[]>> committed(String topic, int partition, long lastOrMax) {
        List<ConsumerRecord<byte[], byte[]>> records = Records.read(servers, new TopicPartition(topic, partition));
        records.removeIf(entry -> entry.offset() > lastOrMax);
        return records;
    }
}
