package io.neardup.streams.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer of a stream thread, which commits whole steps only. A step is what a task does with one record or in one
 * punctuation; what it writes belongs together.
 *
 * <p>Where a call of a step fails, the step is written by half. Kafka Streams 4.3.1 aborts then, but for one case: a
 * timeout in a punctuation. It takes the state of that task for corrupted, and commits what the thread has open, as
 * other tasks share the transaction, before it sets the task up anew. Where it is the commit that times out, it calls
 * the commit of stores and writes their checkpoints with offsets that are aborted later.
 *
 * <p>So a transaction in which a call fails is given up here. Streams is told that the producer is fenced: it drops all
 * tasks of the thread, makes another producer, and starts again from what is committed. The first call of a step may
 * fail before a transaction is open, and what the step has left in its task begins one: so this producer commits
 * nothing any more.
 *
 * <p>A send may also fail after its call has returned, or say so to its callback alone. Kafka's producer commits
 * nothing then, but fails in a way that ends the service. Where trying again may help, the transaction is given up too.
 *
 * <p>Records are held until Streams flushes, just before it commits: the broker counts the time of a transaction from
 * its first record, and Streams may process one record of each task, or more, between that and the commit. Of slow
 * documents that can be longer than {@code transaction.timeout.ms}: the thread would be fenced, begin again with the
 * same documents, and so on. Above {@value #HELD_BYTES_MAX} bytes they are sent at once, and the timeout counts.
 */
public final class GuardedProducer extends KafkaProducer<byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedProducer.class);

    /** Streams drops what a send returns: 4.3.1 has all from the callback. */
    private static final Future<RecordMetadata> NEVER_DONE = new CompletableFuture<>();

    /** Of the records that are held, with {@link #RECORD_BYTES} for each. */
    static final int HELD_BYTES_MAX = 32 << 20;

    /** What a record takes beside its bytes, with each of its headers. */
    private static final long RECORD_BYTES = 512;

    private final Deque<HeldRecord> held = new ArrayDeque<>();
    private long heldBytes;
    private @Nullable ThreadTransaction transaction;
    private @Nullable RuntimeException failure;
    /** Whether a record of the transaction could not be written; its callback has reported it. */
    private volatile boolean hasFailedLater;

    /** By topic, as first asked for since the last transaction: Kafka's answer takes a lock. */
    private final Map<String, List<PartitionInfo>> partitions = new HashMap<>();

    private final AtomicBoolean fenceReported = new AtomicBoolean();

    private record HeldRecord(ProducerRecord<byte[], byte[]> sent, Callback callback) {
        long bytes() {
            long bytes = RECORD_BYTES + length(sent.key()) + length(sent.value());
            for (Header header : sent.headers()) {
                bytes += RECORD_BYTES + length(header.value());
            }
            return bytes;
        }

        private static int length(byte @Nullable [] bytes) {
            return bytes == null ? 0 : bytes.length;
        }
    }

    public GuardedProducer(Map<String, Object> settings) {
        super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void beginTransaction() {
        super.beginTransaction();
        hasFailedLater = false;
        transaction = ThreadTransaction.begin();
    }

    /** Streams asks before each record that is addressed by a partitioner; this is where a step times out. */
    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return partitions.computeIfAbsent(topic, asked -> guarded(() -> super.partitionsFor(asked)));
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent, @Nullable Callback callback) {
        ThreadTransaction sentIn = transaction;
        HeldRecord last = new HeldRecord(sent, (metadata, e) -> {
            if (e != null) {
                reportFence(e);
                hasFailedLater = true;
            } else if (sentIn != null) {
                sentIn.note(metadata);
            }
            if (callback != null) {
                callback.onCompletion(metadata, e);
            }
        });
        held.addLast(last);
        heldBytes += last.bytes();
        if (heldBytes > HELD_BYTES_MAX) {
            sendHeld();
        }
        return NEVER_DONE;
    }

    private void sendHeld() {
        while (!held.isEmpty() && failure == null && !hasFailedLater) {
            HeldRecord next = held.removeFirst();
            Future<RecordMetadata> unused = guarded(() -> super.send(next.sent, next.callback));
        }
        if (held.isEmpty()) { // Else a call has failed, and the transaction is given up.
            heldBytes = 0;
        }
    }

    /** Streams takes no exception of a flush. What fails here is thrown at the commit. */
    @Override
    public void flush() {
        try {
            sendHeld();
        } catch (KafkaException e) {
            LOG.debug("cannot send; cause={}", e.toString());
        }
        super.flush();
    }

    @Override
    public void abortTransaction() {
        held.clear();
        heldBytes = 0;
        partitions.clear();
        super.abortTransaction();
    }

    private <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            failure = e;
            reportFence(e);
            throw e;
        }
    }

    /** Once: Streams drops a producer that is fenced. It says so in many lines, which the log leaves out. */
    private void reportFence(Exception e) {
        if (isFence(e) && fenceReported.compareAndSet(false, true)) {
            LOG.warn(
                    "a thread lost its tasks to others, as the brokers got nothing from it for longer than its session"
                            + " or its transaction lasts; it goes on from what is committed. Look for long pauses of"
                            + " this host, its JVM or the brokers, or for topics that lack replicas in sync, which"
                            + " run --check names; cause={}",
                    e.toString());
        }
    }

    private static boolean isFence(Exception failure) {
        return withCauses(failure)
                .anyMatch(cause -> cause instanceof ProducerFencedException
                        || cause instanceof InvalidProducerEpochException
                        || cause instanceof CommitFailedException);
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        requireWhole();
        orGiveUp(() -> super.sendOffsetsToTransaction(offsets, groupMetadata));
    }

    @Override
    public void commitTransaction() {
        requireWhole();
        orGiveUp(() -> {
            sendHeld(); // Streams has flushed all that it has sent; nothing must stay behind its offsets.
            super.commitTransaction();
        });
        partitions.clear();
        if (transaction != null) {
            transaction.markCommitted();
        }
        CommitListeners.after().fire();
    }

    private void requireWhole() {
        if (failure != null) {
            throw givenUp(failure);
        }
    }

    private void orGiveUp(Runnable commit) {
        try {
            commit.run();
        } catch (KafkaException e) {
            if (!mayGoWellNextTime(e)) {
                reportFence(e);
                throw e;
            }
            failure = e;
            throw givenUp(e);
        }
    }

    private static boolean mayGoWellNextTime(KafkaException failure) {
        return withCauses(failure).anyMatch(RetriableException.class::isInstance);
    }

    private static Stream<Throwable> withCauses(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    private static ProducerFencedException givenUp(RuntimeException failure) {
        String why = withCauses(failure).map(Throwable::toString).collect(Collectors.joining(": "));
        LOG.warn(
                "giving up the open transaction, as the cluster did not answer in time: the tasks of this thread start"
                        + " again from what is committed; cause={}",
                why);
        return new ProducerFencedException("given up after: " + why);
    }
}
