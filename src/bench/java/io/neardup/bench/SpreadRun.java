package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.BenchReports.Layout;
import io.neardup.bench.BenchReports.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The service with 1, 4 and 16 partitions of the input and as many of the bands, each with each. */
final class SpreadRun {
    private static final List<Integer> COUNTS = List.of(1, 4, 16);

    private final Bench bench;
    private final Bench.Options options;
    private final WorkerProcess service;

    /** Starts the service's process. */
    SpreadRun(Bench bench) throws IOException {
        this.bench = bench;
        this.options = bench.options();
        this.service = bench.worker(Subject.Kind.SERVICE);
    }

    Spread run() {
        List<Layout> layouts = new ArrayList<>();
        for (int partitions : COUNTS) {
            Input input = bench.load("documents-" + partitions, partitions, 0, options.documents());
            if (layouts.isEmpty()) {
                WarmUp.run(bench, service, "service", input, options.documents());
            }
            for (int indexPartitions : COUNTS) {
                layouts.add(drain(input, indexPartitions));
            }
            bench.cluster().deleteAll(input.topic());
        }
        double fewest = layouts.get(0).speed().cpuMicrosOfBoth();
        double most = layouts.get(layouts.size() - 1).speed().cpuMicrosOfBoth();
        return new Spread(bench.corpus(), most / fewest, layouts);
    }

    private Layout drain(Input input, int indexPartitions) {
        String name = input.partitions() + " x " + indexPartitions;
        bench.progress().phase("partitions x index partitions " + name);
        Trial trial = new Trial(
                bench,
                service,
                "spread-" + input.partitions() + "-" + indexPartitions,
                input,
                Map.of("neardup.bands.partitions", String.valueOf(indexPartitions)));
        Drain.Result drained = new Drain(trial, 0, options.documents()).run(trial::start);
        bench.rates().add(name, drained.samples());
        trial.stop();
        trial.delete();
        return new Layout(input.partitions(), indexPartitions, drained.speed());
    }
}
