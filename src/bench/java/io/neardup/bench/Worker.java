package io.neardup.bench;

import io.neardup.bench.WorkerProcess.Command;
import io.neardup.bench.WorkerProcess.Figures;
import io.neardup.bench.WorkerProcess.Pause;
import io.neardup.bench.WorkerProcess.Reply;
import io.neardup.bench.WorkerProcess.Request;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * What runs in a measured process. It starts and stops subjects of one kind, one after the other, as it is asked. So
 * what the JIT compiler has made is kept from round to round. See {@link WorkerProcess}.
 */
public final class Worker {
    private static final String ORIGIN = "bench";
    private static final long START_SECONDS = 900;
    private static final long POLL_MILLIS = 20;

    private final Subject.Kind kind;
    private final Supplier<Settings> settings;
    private final GcPauses pauses = new GcPauses();
    private @Nullable Subject subject;

    private Worker(Subject.Kind kind, Supplier<Settings> settings) {
        this.kind = kind;
        this.settings = settings;
    }

    /**
     * Answers requests until there are no more.
     *
     * @param kind {@code passthrough} or {@code service}
     * @param settings of the command line
     */
    public static void serve(String kind, Supplier<Settings> settings, BufferedReader requests, PrintWriter replies)
            throws IOException {
        Worker worker = new Worker(Subject.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), settings);
        try {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                replies.println(WorkerProcess.write(worker.reply(WorkerProcess.read(line, Request.class))));
                replies.flush();
            }
        } finally {
            worker.stop();
            worker.pauses.close();
        }
    }

    private Reply reply(Request request) {
        try {
            if (request.command() == Command.START) {
                start(request);
            } else if (request.command() == Command.STOP) {
                stop();
            } else if (request.command() == Command.FIGURES_AFTER_GC) {
                System.gc();
            }
            failIfEnded();
            return new Reply(figures());
        } catch (ExecutionException e) {
            return new Reply("the " + kind + " failed: " + e.getCause(), null);
        } catch (RuntimeException | InterruptedException | TimeoutException e) {
            return new Reply(Objects.requireNonNullElse(e.getMessage(), e.toString()), null);
        }
    }

    private void start(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        Settings all = settings.get();
        request.settings().forEach((key, value) -> all.set(key, value, ORIGIN));
        pauses.clear();
        Subject started = kind.start(NeardupConfig.forCluster(all));
        subject = started;
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!started.isRunning().getAsBoolean()) {
            failIfEnded();
            if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException("the " + kind + " was not running within " + START_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private void failIfEnded() throws ExecutionException, InterruptedException {
        Subject running = subject;
        if (running != null && running.ended().isDone()) {
            running.ended().get();
        }
    }

    private void stop() {
        Subject running = subject;
        subject = null;
        if (running != null) {
            running.close().run();
        }
    }

    private Figures figures() {
        Subject running = subject;
        return new Figures(
                allocatedBytes(),
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                running == null ? 0 : running.indexBytes().getAsLong(),
                pauses.sinceCleared());
    }

    private static long allocatedBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            // A thread that has just ended has -1.
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    /**
     * The pauses of this process's garbage collector, by flight recorder. It sees those of the concurrent cycle too,
     * which the management beans of JDK 17 leave out. A pause is known about a second after it has happened.
     */
    private static final class GcPauses implements AutoCloseable {
        private static final double NANOS_PER_MILLI = 1e6;

        private final RecordingStream recording = new RecordingStream();
        private final List<Pause> pauses = new ArrayList<>();

        GcPauses() {
            recording.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
            recording.onEvent("jdk.GCPhasePause", this::add);
            recording.startAsync();
        }

        private synchronized void add(RecordedEvent event) {
            pauses.add(new Pause(
                    event.getStartTime().toEpochMilli(), event.getDuration().toNanos() / NANOS_PER_MILLI));
        }

        synchronized List<Pause> sinceCleared() {
            return List.copyOf(pauses);
        }

        synchronized void clear() {
            pauses.clear();
        }

        @Override
        public void close() {
            recording.close();
        }
    }
}
