package io.neardup.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes of a benchmark: without one of them the others are of no use. Thread-safe. */
final class ProcessGroup {
    /** A failure may be seen before the end of the process that caused it. */
    private static final long END_SEEN_SECONDS = 1;

    private final Queue<JavaProcess> members = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<JavaProcess> endedEarly = new CompletableFuture<>();

    /** Starts a member; the parameters are those of {@link JavaProcess}. */
    JavaProcess start(String name, Path folder, List<String> jvmOptions, List<String> arguments) throws IOException {
        JavaProcess process = new JavaProcess(name, folder, jvmOptions, arguments);
        members.add(process);
        process.onEarlyEnd(() -> endedEarly.complete(process));
        return process;
    }

    /** Done when a member has ended that nobody had asked to. */
    CompletableFuture<JavaProcess> endedEarly() {
        return endedEarly.copy();
    }

    /** The member whose end a failure comes from, if one has ended. */
    Optional<JavaProcess> causeOfFailure() throws InterruptedException {
        try {
            return Optional.of(endedEarly.get(END_SEEN_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    /** Ends all members at once. */
    void kill() {
        members.forEach(JavaProcess::kill);
    }
}
