package io.neardup.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a benchmark and a process that it measures say to one another: a request a line, a reply a line, both JSON. */
final class WorkerProtocol {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WorkerProtocol() {}

    enum Command {
        /** Starts the subject; answered when it is running. */
        START,
        /** Asks for the figures. */
        FIGURES,
        /** Collects garbage and asks for the figures, so that the heap in use is what is live. */
        FIGURES_AFTER_GC,
        /** Stops the subject; answered when it has. */
        STOP
    }

    /** @param settings that go over those of the command line */
    record Request(Command command, Map<String, String> settings) {}

    /** @param failure what went wrong */
    record Reply(@Nullable String failure, @Nullable WorkerFigures figures) {
        Reply(WorkerFigures figures) {
            this(null, figures);
        }
    }

    /**
     * A stop of all threads by the garbage collector.
     *
     * @param atMillis since the epoch
     */
    record Pause(long atMillis, double millis) {}

    /**
     * What a process says of itself.
     *
     * @param allocatedBytes by the threads that are alive, since their start
     * @param compilationMillis for which the compiler was busy, since the process began
     * @param heapBytes in use
     * @param indexBytes heap that the buckets take, all partitions together; 0 but after a collection
     * @param pauses since the subject's start
     */
    record WorkerFigures(
            long allocatedBytes, long compilationMillis, long heapBytes, long indexBytes, List<Pause> pauses) {}

    static String write(Object message) {
        try {
            return JSON.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static <T> T read(String line, Class<T> type) {
        try {
            return JSON.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new BenchException("expected a " + type.getSimpleName() + ", found: " + line, e);
        }
    }
}
