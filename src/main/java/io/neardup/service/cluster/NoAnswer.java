package io.neardup.service.cluster;

import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RetriableException;

/** Requests that no broker answers: {@link TopicWatch} tells the operator, so that what also asks need not. */
public final class NoAnswer {
    private NoAnswer() {}

    /** Whether asking again later may help, as brokers come back. */
    public static boolean is(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof TimeoutException || cause instanceof RetriableException);
    }
}
