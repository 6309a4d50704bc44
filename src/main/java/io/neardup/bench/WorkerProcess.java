package io.neardup.bench;

import io.neardup.bench.WorkerProtocol.Command;
import io.neardup.bench.WorkerProtocol.Reply;
import io.neardup.bench.WorkerProtocol.Request;
import io.neardup.bench.WorkerProtocol.WorkerFigures;
import java.util.Map;

/** A measured process, from outside. Not thread-safe, but for {@link #close}. */
final class WorkerProcess implements AutoCloseable {
    private final JavaProcess process;

    WorkerProcess(JavaProcess process) {
        this.process = process;
    }

    /** Returns when the subject is running. */
    void start(Map<String, String> settings) {
        ask(Command.START, settings);
    }

    /** @throws BenchException if the subject has failed */
    WorkerFigures figures() {
        return ask(Command.FIGURES, Map.of());
    }

    WorkerFigures figuresAfterGc() {
        return ask(Command.FIGURES_AFTER_GC, Map.of());
    }

    /** Returns when the subject has stopped. */
    void stop() {
        ask(Command.STOP, Map.of());
    }

    long cpuNanos() {
        return process.cpuNanos();
    }

    private WorkerFigures ask(Command command, Map<String, String> settings) {
        process.writeLine(WorkerProtocol.write(new Request(command, settings)));
        Reply reply = WorkerProtocol.read(process.readLine(), Reply.class);
        WorkerFigures figures = reply.figures();
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
}
