package io.neardup.bench;

import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Spread;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.local.Resources;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Benchmarks on a broker of their own: everything runs in processes that end with this one, in a temporary folder that
 * is deleted at the end. One instance is for one of them.
 */
public final class Bench {
    /** Fewer documents than this are no round. */
    public static final int DOCUMENTS_MIN = 1_000;

    /**
     * Memory that the heap grows into is taken page by page: on a virtual machine that cost up to a third of all
     * processor time. So the heap is of one size, and touched before the start.
     */
    private static final List<String> WORKER_OPTIONS = List.of(
            "-XX:+IgnoreUnrecognizedVMOptions", // large pages are there on Linux alone
            "-XX:NewRatio=1", // these two as bin/neardup has them
            "-XX:+UseParallelGC",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseTransparentHugePages");

    /** As bin/neardup has it. */
    private static final Map<String, String> WORKER_ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    /** What Kafka's own start script gives a broker. */
    private static final List<String> BROKER_OPTIONS = List.of("-Xms1g", "-Xmx1g");

    /** What a process prints is read only if it fails. */
    private static final List<String> LOG_OPTIONS =
            List.of("-Dneardup.log.level=WARN", "-Dneardup.log.kafka=ERROR", "-Dlog4j.shutdownHookEnabled=false");

    private final Options options;
    private final Progress progress;
    private final Resources resources;
    private final BenchDocuments documents;
    private final RateChart rates = new RateChart();
    private final Path folder;
    private final JavaProcess broker;
    private final BenchCluster cluster;
    private final InputLoader loader;
    private final Queue<JavaProcess> processes = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<@Nullable JavaProcess> endedEarly = new CompletableFuture<>();

    /**
     * What a benchmark does.
     *
     * @param documents to drain in a round, at least {@value #DOCUMENTS_MIN}
     * @param partitions of the input topic and of the outputs, at least 1
     * @param rounds at least 1
     * @param warmUpSeconds for which each side runs before the first round at the most
     * @param latencySeconds for which documents are sent at each rate; 0 to leave latencies out
     * @param heapPercent of the machine's memory for the heap of each measured process, from 1 to 40
     * @param mainClass with the commands {@code broker} and {@code worker}
     * @param settingsArguments of the command line, handed on to the measured processes
     */
    public record Options(
            int documents,
            int partitions,
            int rounds,
            int warmUpSeconds,
            int latencySeconds,
            int heapPercent,
            String mainClass,
            List<String> settingsArguments) {}

    /** A topic that documents arrive on. */
    record Input(String topic, int partitions) {}

    /**
     * Starts the broker.
     *
     * @param resources what is opened here and later is closed with them, also by a shutdown hook
     */
    public Bench(Options options, BenchDocuments documents, Progress progress, Resources resources)
            throws IOException, InterruptedException {
        this.options = options;
        this.progress = progress;
        this.resources = resources;
        this.documents = documents;
        progress.phase("starting a broker");
        folder = resources.open(() -> new TemporaryFolder("neardup-bench-")).path();
        List<String> brokerData = List.of(folder.resolve("data").toString());
        broker = resources.open(() -> process("broker", BROKER_OPTIONS, Map.of(), "broker", brokerData));
        String servers = run(broker::readLine);
        cluster = resources.open(() -> new BenchCluster(servers));
        loader = resources.open(() -> new InputLoader(servers, documents, progress));
    }

    /** The service against a passthrough. */
    public Comparison compare() throws IOException, InterruptedException {
        return run(() -> new ComparisonRun(this).run());
    }

    /**
     * The service as its index grows.
     *
     * @param sizes unique documents, rising, at least one
     */
    public Growth grow(List<Long> sizes) throws IOException, InterruptedException {
        return run(() -> new GrowthRun(this).run(sizes));
    }

    /** The service with more and fewer partitions. */
    public Spread spread() throws IOException, InterruptedException {
        return run(() -> new SpreadRun(this).run());
    }

    private interface Body<R> {
        R run() throws IOException, InterruptedException;
    }

    /** What fails as a process has ended says less than how that has. */
    private <R> R run(Body<R> body) throws IOException, InterruptedException {
        try {
            return body.run();
        } catch (RuntimeException e) {
            JavaProcess ended =
                    endedEarly.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
            throw ended == null ? e : ended.endedEarly();
        }
    }

    /** Starts a process that runs subjects of a kind. */
    WorkerProcess worker(Subject.Kind kind) throws IOException {
        String name = kind.name().toLowerCase(Locale.ROOT);
        List<String> arguments = new ArrayList<>(List.of(name));
        arguments.addAll(options.settingsArguments());
        List<String> jvm = new ArrayList<>(WORKER_OPTIONS);
        jvm.add("-XX:InitialRAMPercentage=" + options.heapPercent());
        jvm.add("-XX:MaxRAMPercentage=" + options.heapPercent());
        return resources.open(() -> new WorkerProcess(process(name, jvm, WORKER_ENVIRONMENT, "worker", arguments)));
    }

    private JavaProcess process(
            String name,
            List<String> jvmOptions,
            Map<String, String> environment,
            String command,
            List<String> arguments)
            throws IOException {
        List<String> jvm = new ArrayList<>(jvmOptions);
        jvm.addAll(LOG_OPTIONS);
        List<String> line = new ArrayList<>(List.of(options.mainClass(), command));
        line.addAll(arguments);
        JavaProcess process = new JavaProcess(name, folder, jvm, environment, line);
        processes.add(process);
        process.onEarlyEnd(() -> {
            endedEarly.complete(process);
            processes.forEach(JavaProcess::kill); // without it the others are of no use
        });
        return process;
    }

    /** Makes an input topic and fills it with the documents of these numbers. */
    Input load(String topic, int partitions, long from, long to) {
        progress.phase("loading the input");
        cluster.create(List.of(topic), partitions, Map.of());
        loader.load(topic, partitions, from, to);
        return new Input(topic, partitions);
    }

    /** Draws the rates over time of what was run, as PNG. */
    public void draw(Path file) throws IOException {
        rates.write(file);
    }

    BenchReports.Corpus corpus() {
        return documents.corpus(options.documents());
    }

    Options options() {
        return options;
    }

    Progress progress() {
        return progress;
    }

    BenchDocuments documents() {
        return documents;
    }

    /** Gets the rates of each drain. */
    RateChart rates() {
        return rates;
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
