package io.neardup.service.migration;

import io.neardup.service.cluster.StartupException;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.MigrationEvent;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Undone;
import io.neardup.streams.store.TopicNames;
import java.util.HashMap;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Asks an index to hand its input over, and takes that back: as records of its settings topic that its coordinators
 * heed.
 */
public final class CutoverRequest {
    private final String from;
    private final ClusterView cluster;

    /**
     * A request to an index.
     *
     * @param from its application.id
     * @param cluster of the same settings
     */
    public CutoverRequest(String from, ClusterView cluster) {
        this.from = from;
        this.cluster = cluster;
    }

    /**
     * Refuses to ask what nobody would do.
     *
     * @param successor by the settings of that index
     * @param isFarBehindFine whether the successor may have much to read before it goes on
     * @return records of this index that the successor has not read, about
     * @throws StartupException that says why not
     */
    public long check(ClusterView successor, boolean isFarBehindFine) {
        return new CutoverCheck(cluster, successor).run(isFarBehindFine);
    }

    /**
     * Asks. Where another request stands, this one counts for nothing.
     *
     * @return how far it is now
     */
    public Cutover ask(String to) {
        int coordinators = cluster.requireIndex().settings().inputPartitions();
        boolean isSpread = MigrationTargetStatus.of(from, cluster)
                .predecessor()
                .filter(before -> before.isSpreadOver(coordinators))
                .isPresent();
        note(new Asked(UUID.randomUUID().toString(), to, coordinators, isSpread));
        return cluster.decidedCutover();
    }

    /**
     * Takes back what stands.
     *
     * @return how far it is now: a coordinator may have been faster
     */
    public Cutover undo() {
        Optional<Asked> asked = cluster.cutover().request();
        asked.ifPresent(
                request -> note(new Undone(request.request(), UUID.randomUUID().toString())));
        return cluster.decidedCutover();
    }

    /** How far it is on both sides. */
    public CutoverProgress look() {
        Cutover now = cluster.cutover();
        Optional<String> successor = now.request().map(Asked::successor);
        return new CutoverProgress(
                now,
                cluster.groupAdmin().members(),
                successor.map(to -> cluster.groupAdmin(to).members()).orElse(0),
                successor
                        .map(to -> MigrationTargetStatus.of(to, cluster))
                        .flatMap(MigrationTargetStatus::coordinatorsLeft));
    }

    private void note(MigrationEvent fact) {
        String topic = new TopicNames(from).settings();
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                new HashMap<>(cluster.clients()), new StringSerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, fact.key(), fact.value()))
                    .get();
        } catch (ExecutionException e) {
            throw new StartupException("topic " + topic + ": cannot be written: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
