package io.neardup.bench;

import io.neardup.bench.WorkerProtocol.Pause;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * The pauses of this process's garbage collector, by flight recorder. It sees those of the concurrent cycle too, which
 * the management beans of JDK 17 leave out. A pause is known about a second after it has happened.
 */
final class GcPauses implements AutoCloseable {
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
