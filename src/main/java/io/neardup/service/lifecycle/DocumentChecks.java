package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.Check;
import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Partitions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.lifecycle.DocumentChecks.CheckException.Kind;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.InternalTopics;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.KafkaThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks documents: would they be duplicates, and of what? They leave no trace in the index. The questions
 * go to the tasks of all instances as messages; the answers come by a topic that every instance reads from its end,
 * without a group. No store is touched by the threads that ask.
 *
 * <p>Clients and thread are made at the first check. At most {@value #OPEN_MAX} checks are open at a time. Thread-safe.
 */
public final class DocumentChecks implements AutoCloseable {
    public static final int OPEN_MAX = 64;

    private static final Logger LOG = LoggerFactory.getLogger(DocumentChecks.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final NeardupConfig config;
    private final TopicNames names;
    private final Signing signing;
    private final Partitions partitions;
    /** Of the checks of this instance; those of others begin elsewhere. */
    private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong());

    private final Semaphore free = new Semaphore(OPEN_MAX);
    /** Documents are read and signed one at a time: a page of HTML takes up to 100 MB of the heap meanwhile. */
    private final ReentrantLock signs = new ReentrantLock(true);

    private final Map<DocumentRef, Open> open = new ConcurrentHashMap<>();
    private @Nullable Exchange exchange;
    private boolean isClosed;

    public DocumentChecks(NeardupConfig config, Signing signing) {
        this.config = config;
        this.names = new TopicNames(config.applicationId());
        this.signing = signing;
        this.partitions =
                new Partitions(config.indexPartitions(), signing.banding().bands());
    }

    private record Open(Check check, CompletableFuture<CheckResult> result) {}

    /**
     * Checks a document, by the value and headers of its record.
     *
     * @return the result, or a {@link CheckException}
     * @throws CheckException where it cannot be asked
     */
    public CompletableFuture<CheckResult> ask(byte[] value, List<RecordHeader> headers, Duration timeout)
            throws CheckException {
        if (!free.tryAcquire()) {
            throw CheckException.busy();
        }
        boolean isAsked = false;
        try {
            CompletableFuture<CheckResult> result = ask(signInTurn(value, headers, timeout), timeout);
            isAsked = true;
            return result;
        } finally {
            if (!isAsked) {
                free.release();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure to ask becomes that of the result
    private CompletableFuture<CheckResult> ask(SignedDocument document, Duration timeout) {
        DocumentRef id = DocumentRef.ofCheck(numbers.incrementAndGet() & DocumentRef.SEQUENCE_MAX);
        CompletableFuture<CheckResult> result = new CompletableFuture<>();
        try {
            Exchange by = exchange();
            Check check = new Check(id.sequence(), document, partitions, by);
            open.put(id, new Open(check, result));
            // Whatever hinders it fails the check: none stays open.
            by.begun.thenRun(check::begin).exceptionally(failure -> {
                result.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                return null;
            });
        } catch (KafkaException e) {
            result.completeExceptionally(e);
        }
        return result.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).handle((found, failure) -> {
            open.remove(id);
            free.release();
            if (failure != null) {
                throw new CompletionException(explained(failure, timeout));
            }
            return found;
        });
    }

    private static CheckException explained(Throwable failure, Duration timeout) {
        String missing = "expected all answers within " + timeout.toMillis()
                + " ms, found some missing: tasks are restored or move, or have too much to do; try again";
        return failure instanceof TimeoutException
                ? new CheckException(Kind.TIMEOUT, "", missing)
                : CheckException.failed(failure);
    }

    private SignedDocument signInTurn(byte[] value, List<RecordHeader> headers, Duration timeout)
            throws CheckException {
        try {
            if (!signs.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw CheckException.busy("expected to read the document within " + timeout.toMillis()
                        + " ms, found that others are still read; try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CheckException.failed(e);
        }
        try {
            return sign(value, headers);
        } finally {
            signs.unlock();
        }
    }

    private SignedDocument sign(byte[] value, List<RecordHeader> headers) throws CheckException {
        InputRecord record = new InputRecord("check", 0, 0, 0, null, value, headers);
        DocumentReader.Result read = config.writtenDocumentReaders().get().read(record);
        if (read instanceof Rejection rejection) {
            throw CheckException.rejected(rejection.reason(), rejection.detail());
        }
        try {
            return signing.signer().sign((Document) read);
        } catch (UnsignableException e) {
            throw CheckException.rejected(Reason.of(e), e.getMessage());
        }
    }

    private synchronized Exchange exchange() {
        if (isClosed) {
            throw new KafkaException("the service ends");
        }
        if (exchange == null) {
            exchange = new Exchange();
        }
        return exchange;
    }

    private void receive(ToCoordinator answer) {
        if (answer instanceof Candidates candidates) {
            receive(candidates.document(), asked -> asked.receive(candidates));
        } else if (answer instanceof Answer verified) {
            receive(verified.asker(), asked -> asked.receive(verified));
        }
    }

    private void receive(DocumentRef asker, Consumer<Check> answer) {
        Open asked = open.get(asker);
        if (asked == null) {
            return;
        }
        try {
            answer.accept(asked.check);
            asked.check.result().ifPresent(asked.result::complete);
        } catch (KafkaException e) { // What it asks next could not be sent: others may be.
            asked.result.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        Exchange toClose;
        synchronized (this) {
            isClosed = true;
            toClose = exchange;
            exchange = null;
        }
        if (toClose != null) {
            toClose.close();
        }
        open.values().forEach(asked -> asked.result.completeExceptionally(new KafkaException("the service ends")));
    }

    /** The clients, and the thread that reads answers. */
    private final class Exchange implements MessageOutbox {
        private final KafkaProducer<byte[], byte[]> producer;
        private final KafkaConsumer<byte[], byte[]> consumer;
        /** When the end of the answers was found: one that came before would be missed. */
        private final CompletableFuture<Void> begun = new CompletableFuture<>();

        private final Thread reader = KafkaThread.daemon("neardup-checks", this::read);

        Exchange() {
            consumer = CommittedRecords.consumer(StreamsSettings.clients(config), CommittedRecords.FROM_THE_END);
            try {
                producer =
                        new KafkaProducer<>(producerSettings(), new ByteArraySerializer(), new ByteArraySerializer());
            } catch (KafkaException e) {
                consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
                throw e;
            }
            reader.start();
        }

        /** Takes as long as the cluster: so nobody else waits for it. */
        private void findEnd() {
            TopicPartition answers = new TopicPartition(names.checks(), 0);
            consumer.assign(List.of(answers));
            consumer.seekToEnd(List.of(answers));
            consumer.position(answers);
            begun.complete(null);
        }

        private Map<String, Object> producerSettings() {
            Map<String, Object> settings = StreamsSettings.clients(config);
            settings.put(ProducerConfig.LINGER_MS_CONFIG, "0");
            settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
            // A question holds all of a text, as on its way between tasks.
            settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, InternalTopics.REQUEST_BYTES_MAX);
            settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, InternalTopics.REQUEST_BYTES_MAX);
            // It holds up who asks over HTTP, or the answers to all checks.
            settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "1000");
            return settings;
        }

        @Override
        public void toIndex(int indexPartition, ToIndex message) {
            send(names.lookups(), indexPartition, message);
        }

        @Override
        public void toCoordinator(int coordinator, ToCoordinator message) {
            send(names.replies(), coordinator, message);
        }

        /** What the producer refuses, or cannot take in time, is thrown; what is lost later is missed in time. */
        private void send(String topic, int partition, Message message) {
            Batch<Message> batch = MessageCodec.batch();
            batch.add(message);
            Future<?> sent = producer.send(new ProducerRecord<>(topic, partition, new byte[0], batch.take()));
            try {
                if (sent.isDone()) {
                    sent.get();
                }
            } catch (ExecutionException e) {
                throw new KafkaException("topic " + topic + ": cannot be written: " + FailureCause.root(e), e);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }

        private void read() {
            try {
                findEnd();
                while (true) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                        MessageCodec.decodeToCoordinator(record.value()).forEach(DocumentChecks.this::receive);
                    }
                }
            } catch (WakeupException e) {
                LOG.debug("checks end");
            } catch (RuntimeException e) {
                begun.completeExceptionally(e);
                if (forget(this)) {
                    LOG.warn("answers to checks cannot be read; the next check tries again; cause={}", e.toString());
                }
            } finally {
                forget(this);
                begun.completeExceptionally(new KafkaException("answers cannot be read"));
                consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
                producer.close(CLOSE_TIMEOUT);
            }
        }

        private void close() {
            begun.completeExceptionally(new KafkaException("the service ends"));
            consumer.wakeup();
        }
    }

    /** Whether it was in use; at the end of the service none is. */
    private synchronized boolean forget(Exchange failed) {
        boolean isUsed = exchange == failed;
        exchange = isUsed ? null : exchange;
        return isUsed;
    }

    public int open() {
        return open.size();
    }

    /** A document was not checked; the message says why. */
    public static final class CheckException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Kind kind;
        private final String code;

        public enum Kind {
            /** The document would be a dead letter. */
            REJECTED,
            /** It would be one, as it is too large. */
            TOO_LARGE,
            /** Too many checks are open or wait to be read; later it may go. */
            BUSY,
            /** Not all answers came in time: a task is restored or moves, or there is too much to do. */
            TIMEOUT,
            /** The service ends, or the cluster refuses it or does not take it. */
            FAILED
        }

        /** @param code of what is wrong with the document or its headers; empty where the kind says all */
        public CheckException(Kind kind, String code, String message) {
            super(message);
            this.kind = kind;
            this.code = code;
        }

        public static CheckException busy() {
            return busy("expected at most " + DocumentChecks.OPEN_MAX
                    + " checks at a time, with bodies of at most 64 MB or 64 of the largest, whichever is less,"
                    + " found more; try again");
        }

        private static CheckException busy(String message) {
            return new CheckException(Kind.BUSY, "", message);
        }

        static CheckException rejected(Reason reason, String detail) {
            Kind kind = reason == Reason.TOO_LARGE ? Kind.TOO_LARGE : Kind.REJECTED;
            return new CheckException(kind, reason.code(), detail);
        }

        /** What hindered a check that ended with a failure. */
        public static CheckException of(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof CheckException known) {
                    return known;
                }
            }
            return failed(failure);
        }

        private static CheckException failed(Throwable failure) {
            return new CheckException(
                    Kind.FAILED, "", "expected an answer of the index, found that the check failed: " + failure);
        }

        public Kind kind() {
            return kind;
        }

        /** What is wrong with the document, as the code that a dead letter would have; empty where it is not that. */
        public String code() {
            return code;
        }
    }
}
