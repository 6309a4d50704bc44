package io.neardup.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service, or another program, as a process of its own, started by its command line, to be killed. */
public final class InstanceProcess implements AutoCloseable {
    static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration STOPS_WITHIN = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;

    private InstanceProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts {@code neardup run}.
     *
     * @param folder of this instance alone: its settings, state and log; a second start goes on with them
     */
    public static InstanceProcess start(Path folder, List<String> settings) throws IOException {
        return start(folder, List.of(), settings);
    }

    /** Starts it with more options of the JVM. */
    public static InstanceProcess start(Path folder, List<String> jvmOptions, List<String> settings)
            throws IOException {
        Files.createDirectories(folder);
        Path config = Files.write(folder.resolve("neardup.properties"), settings);
        List<String> run =
                List.of("run", "--config", config.toString(), "--set", "state.dir=" + folder.resolve("state"));
        return run(folder, jvmOptions, JavaCommand.classPath(), run);
    }

    /** Starts a command that runs until it is stopped. */
    public static InstanceProcess command(Path folder, List<String> arguments) throws IOException {
        return command(folder, JavaCommand.classPath(), arguments);
    }

    /** Starts it with another class path. */
    public static InstanceProcess command(Path folder, String classPath, List<String> arguments) throws IOException {
        Files.createDirectories(folder);
        return run(folder, List.of(), classPath, arguments);
    }

    private static InstanceProcess run(Path folder, List<String> jvmOptions, String classPath, List<String> arguments)
            throws IOException {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(jvmOptions);
        List<String> command = JavaCommand.of(options, classPath, List.of("io.neardup.tools.cli.Main"));
        command.addAll(arguments);
        return launch(command, folder.resolve("instance.log"));
    }

    /** Any command line; what it prints goes behind what is in the log. */
    static InstanceProcess launch(List<String> command, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new InstanceProcess(process, log);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Waits until the instance ends by itself; returns the exit code. */
    public int awaitEnd(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("expected an end within " + patience + ", found it running, see " + log);
        }
        return process.exitValue();
    }

    /** What the instance printed. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    /** As {@code kill -9}; returns when the process is gone. */
    public void killHard() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd(STOPS_WITHIN);
    }

    /** As {@code kill -STOP}: the process stands still and keeps its connections, as in a long pause of any kind. */
    public void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** As {@code kill -CONT}. */
    public void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill " + signal + " of the instance: exit code " + exit);
        }
    }

    /** As {@code kill}; returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return awaitEnd(STOPS_WITHIN);
    }

    @Override
    public void close() {
        try {
            killHard();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
