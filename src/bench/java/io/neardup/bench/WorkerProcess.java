package io.neardup.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measured process, from outside, and what is said between it and the benchmark: a request a line, a reply a line,
 * both JSON. Not thread-safe, but for {@link #close}.
 */
final class WorkerProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JavaProcess process;

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
    record Reply(@Nullable String failure, @Nullable Figures figures) {
        Reply(Figures figures) {
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
     * @param indexBytes memory that the buckets take, all partitions together
     * @param pauses since the subject's start
     */
    record Figures(long allocatedBytes, long compilationMillis, long heapBytes, long indexBytes, List<Pause> pauses) {}

    WorkerProcess(JavaProcess process) {
        this.process = process;
    }

    /** Returns when the subject is running. */
    void start(Map<String, String> settings) {
        ask(Command.START, settings);
    }

    /** @throws BenchException if the subject has failed */
    Figures figures() {
        return ask(Command.FIGURES, Map.of());
    }

    Figures figuresAfterGc() {
        return ask(Command.FIGURES_AFTER_GC, Map.of());
    }

    /** Returns when the subject has stopped. */
    void stop() {
        ask(Command.STOP, Map.of());
    }

    long cpuNanos() {
        return process.cpuNanos();
    }

    private Figures ask(Command command, Map<String, String> settings) {
        process.writeLine(write(new Request(command, settings)));
        Reply reply = read(process.readLine(), Reply.class);
        Figures figures = reply.figures();
        if (reply.failure() != null || figures == null) {
            throw new BenchException(String.valueOf(reply.failure()));
        }
        return figures;
    }

    /** Ends it at once, as a crash would. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

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
