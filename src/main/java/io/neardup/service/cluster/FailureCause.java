package io.neardup.service.cluster;

import io.neardup.streams.input.InputDeletedException;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.DiskException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong around the service, where that explains a failure.
 *
 * @param stateFolder of this instance
 */
public record FailureCause(TopicWatch watch, Path stateFolder) {
    private static final Logger LOG = LoggerFactory.getLogger(FailureCause.class);

    /** What to report in place of a failure: a {@link StartupException} where it can be explained, else itself. */
    public Throwable of(Throwable failure) {
        List<String> changes = watch.changes();
        if (!changes.isEmpty()) {
            return new StartupException(changes, failure);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InputDeletedException) {
                return new StartupException(String.valueOf(cause.getMessage()), failure);
            } else if (cause instanceof AuthorizationException) {
                String found = cause.getClass().getSimpleName() + ": " + cause.getMessage();
                return new StartupException(
                        List.of(
                                "expected that this user may do what the service needs, found " + found,
                                AccessCheck.FIX),
                        failure);
            } else if (cause instanceof ProcessorStateException || cause instanceof DiskException) {
                return new StartupException(
                        "state.dir " + stateFolder + ": expected to keep the state there, found " + root(cause)
                                + "; make room, set right what it says, or delete that folder, which is restored from"
                                + " the changelogs, and start again",
                        failure);
            }
        }
        return failure;
    }

    /**
     * Whether another thread can go on, as what the disk has damaged is deleted and restored when it is opened again.
     * That is logged, and counted, as it is allowed only so often. An InternalError says that a mapped page could not
     * be read, maybe some calls later.
     */
    public static boolean mayRestore(Throwable failure, DiskFailures failures) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean isDamage = cause instanceof DiskException disk && disk.isDamage();
            if (isDamage || isOfMappedPage(cause)) {
                String where = isDamage ? String.valueOf(cause.getMessage()) : "a mapped file";
                String found = String.valueOf(root(cause).getMessage());
                boolean isRestored = failures.mayRestore(where, found, System.nanoTime());
                if (isRestored) {
                    LOG.warn(
                            "expected state on disk as it was written, found {}: {}; it is restored from"
                                    + " the changelog; where that comes again, look at the disk of state.dir",
                            where,
                            found);
                }
                return isRestored;
            }
        }
        return false;
    }

    private static boolean isOfMappedPage(Throwable failure) {
        return failure instanceof InternalError
                && String.valueOf(failure.getMessage()).contains("unsafe memory access");
    }

    /**
     * Whether no broker answered, so that asking again later may help. That is an alert of its own, so that who
     * asks needs not log it.
     */
    public static boolean isNoAnswer(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof TimeoutException || cause instanceof RetriableException);
    }

    /** Whether files could not be read or written, as Kafka Streams says it at its start. */
    public static boolean isOfDisk(StreamsException failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof ProcessorStateException || cause instanceof IOException);
    }

    public static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }
}
