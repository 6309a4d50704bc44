package io.neardup.bench;

import io.neardup.tools.local.Resources;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A broker in a process of its own, the documents, and a folder for everything that is deleted at the end. */
final class BenchSession {
    /**
     * Memory that the heap grows into is taken page by page: on a virtual machine that cost up to a third of all
     * processor time. So the heap is of one size, and touched before the start.
     */
    private static final List<String> WORKER_OPTIONS = List.of(
            "-XX:+IgnoreUnrecognizedVMOptions", // large pages are there on Linux alone
            "-XX:MaxHeapFreeRatio=100",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseTransparentHugePages");

    private static final String INITIAL_HEAP_PERCENT = "-XX:InitialRAMPercentage=";
    private static final String MAX_HEAP_PERCENT = "-XX:MaxRAMPercentage=";

    /** What Kafka's own start script gives a broker. */
    private static final List<String> BROKER_OPTIONS = List.of("-Xms1g", "-Xmx1g");

    /** What a process prints is read only if it fails. */
    private static final List<String> LOG_OPTIONS =
            List.of("-Dneardup.log.level=WARN", "-Dneardup.log.kafka=ERROR", "-Dlog4j.shutdownHookEnabled=false");

    private final Bench.Options options;
    private final Bench.Progress progress;
    private final Resources resources;
    private final JavaProcess.Group processes;
    private final BenchDocuments documents;
    private final Path folder;
    private final JavaProcess broker;
    private final BenchCluster cluster;
    private final InputLoader loader;

    /**
     * Starts the broker.
     *
     * @param resources what is opened here and later is closed with them
     * @param processes what is started here and later belongs to them
     */
    BenchSession(
            Bench.Options options,
            BenchDocuments documents,
            Bench.Progress progress,
            Resources resources,
            JavaProcess.Group processes)
            throws IOException {
        this.options = options;
        this.progress = progress;
        this.resources = resources;
        this.processes = processes;
        this.documents = documents;
        progress.phase("starting a broker");
        folder = resources.open(() -> new TemporaryFolder("neardup-bench-")).path();
        List<String> brokerData = List.of(folder.resolve("data").toString());
        broker = resources.open(() -> process("broker", BROKER_OPTIONS, "broker", brokerData));
        String servers = broker.readLine();
        cluster = resources.open(() -> new BenchCluster(servers));
        loader = resources.open(() -> new InputLoader(servers, documents, progress));
    }

    /** Starts a process that runs subjects of a kind. */
    WorkerProcess worker(Subject.Kind kind) throws IOException {
        String name = kind.name().toLowerCase(Locale.ROOT);
        List<String> arguments = new ArrayList<>(List.of(name));
        arguments.addAll(options.settingsArguments());
        List<String> jvm = new ArrayList<>(WORKER_OPTIONS);
        jvm.add(INITIAL_HEAP_PERCENT + options.heapPercent());
        jvm.add(MAX_HEAP_PERCENT + options.heapPercent());
        return resources.open(() -> new WorkerProcess(process(name, jvm, "worker", arguments)));
    }

    private JavaProcess process(String name, List<String> jvmOptions, String command, List<String> arguments)
            throws IOException {
        List<String> jvm = new ArrayList<>(jvmOptions);
        jvm.addAll(LOG_OPTIONS);
        List<String> line = new ArrayList<>(List.of(options.mainClass(), command));
        line.addAll(arguments);
        return processes.start(name, folder, jvm, line);
    }

    /** Makes an input topic and fills it with the documents of these numbers. */
    Input load(String topic, int partitions, long from, long to) {
        cluster.create(List.of(topic), partitions, Map.of());
        Input input = new Input(topic, partitions);
        loader.load(topic, partitions, from, to);
        return input;
    }

    /** A topic that documents arrive on. */
    record Input(String topic, int partitions) {}

    Bench.Options options() {
        return options;
    }

    Bench.Progress progress() {
        return progress;
    }

    BenchDocuments documents() {
        return documents;
    }

    InputLoader loader() {
        return loader;
    }

    BenchCluster cluster() {
        return cluster;
    }

    /** The state folder of all subjects; each makes one of its own in it. */
    Path stateFolder() {
        return folder.resolve("state");
    }

    long brokerCpuNanos() {
        return broker.cpuNanos();
    }
}
